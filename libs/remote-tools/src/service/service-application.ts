import { Injectable, Optional } from '@nestjs/common';
import { AiBootstrapException, ToolCallers, ToolRegistry } from '@nestor-ai/core';

/** What the service needs of `AiModule`. Without it, Nest's error would only name a class of ours. */
@Injectable()
export class ServiceApplication {
  /** @throws AiBootstrapException if the application does not import `AiModule` */
  constructor(
    @Optional() readonly registry: ToolRegistry,
    @Optional() readonly callers: ToolCallers,
  ) {
    if (!registry || !callers) {
      throw new AiBootstrapException([
        'RemoteToolServiceModule needs AiModule. Import AiModule.forRoot() in your root module. If the application has no model, ' +
          'write AiModule.forRoot({ properties: { chat: { client: { enabled: false } } } }).',
      ]);
    }
  }
}
