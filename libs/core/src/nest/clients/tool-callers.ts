import { Inject, Injectable } from '@nestjs/common';
import {
  TOOL_CALLING_ADVISOR_OPTIONS,
  type ToolCallingAdvisorOptions,
} from '../../advisor/tool-calling-advisor.options.js';
import { ToolCaller } from '../../client/tool-caller.js';
import { ClientProperties } from '../properties/client-properties.js';
import { ApplicationServices } from './application-services.js';

/** Gives the application's tools to callers that are not its models. */
@Injectable()
export class ToolCallers {
  constructor(
    private readonly services: ApplicationServices,
    @Inject(TOOL_CALLING_ADVISOR_OPTIONS) private readonly loop: ToolCallingAdvisorOptions,
    private readonly properties: ClientProperties,
  ) {}

  /** @param name the name of the caller in events, audit records and waiting calls, such as `mcp` */
  of(name: string): ToolCaller {
    return new ToolCaller({ ...this.services.of(name, this.properties.of(name)), loop: this.loop });
  }
}
