import { Inject, Injectable } from '@nestjs/common';
import {
  TOOL_CALLING_ADVISOR_OPTIONS,
  type ToolCallingAdvisorOptions,
} from '../../advisor/tool-calling-advisor.options.js';
import { ToolCaller } from '../../client/tool-caller.js';
import { ToolFilter } from '../../tool/tool-visibility.js';
import { BootstrapCheck } from '../bootstrap-problems.js';
import { Observability } from '../observability.js';
import { ClientProperties } from '../properties/client-properties.js';
import { ApplicationServices } from './application-services.js';
import { RUNNING_TURNS } from '../../model/running-turns.js';

/** Gives the application's tools to callers that are not its models. */
@Injectable()
export class ToolCallers {
  constructor(
    private readonly services: ApplicationServices,
    @Inject(TOOL_CALLING_ADVISOR_OPTIONS) private readonly loop: ToolCallingAdvisorOptions,
    @Inject(ToolFilter) private readonly toolFilter: ToolFilter | undefined,
    private readonly observability: Observability,
    private readonly properties: ClientProperties,
    private readonly bootstrap: BootstrapCheck,
  ) {}

  /** @param name the name of the caller in events, audit records and waiting calls, such as `mcp` */
  of(name: string): ToolCaller {
    const services = this.services.of(name);
    return new ToolCaller({
      services,
      loop: this.loop,
      toolFilter: this.toolFilter,
      observability: this.observability.of(this.properties.of(name)),
      ensureReady: () => {
        services.get(RUNNING_TURNS)!.throwIfClosed();
        this.bootstrap.ensureChecked();
      },
    });
  }
}
