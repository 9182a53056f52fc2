import { Inject, Injectable } from '@nestjs/common';
import { Envelopes } from '../wire/envelopes.js';
import { REMOTE_TOOL_SERVICE_OPTIONS } from './remote-tool-service.module-definition.js';
import type { RemoteToolServiceModuleOptions } from './remote-tool-service.options.js';

/** Signs and verifies the messages of the service. */
@Injectable()
export class ServiceEnvelopes extends Envelopes {
  /** @throws TypeError if a secret is missing or too short */
  constructor(@Inject(REMOTE_TOOL_SERVICE_OPTIONS) options: RemoteToolServiceModuleOptions) {
    super('RemoteToolServiceModule', options);
  }
}
