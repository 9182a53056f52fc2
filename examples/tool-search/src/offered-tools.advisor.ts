import { Injectable, Logger } from '@nestjs/common';
import { BaseAdvisor, type ChatClientRequest, offeredToolDefinitions, RegisterAdvisor } from '@nestor-ai/core';

/** Logs which tools the model is sent in each round. */
@RegisterAdvisor()
@Injectable()
export class OfferedToolsAdvisor extends BaseAdvisor {
  readonly name = 'offered tools';
  private readonly logger = new Logger('OfferedTools');

  override before(request: ChatClientRequest) {
    const names = offeredToolDefinitions(request.prompt.options).map(({ name }) => name);
    this.logger.log(`The model is sent ${names.length} tool(s): ${names.join(', ')}`);
    return request;
  }
}
