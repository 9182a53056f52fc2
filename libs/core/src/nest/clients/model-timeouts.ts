import type { ChatClientRequest } from '../../advisor/chat-client-exchange.js';
import { ModelTimeoutAdvisor, type ModelTimeoutAdvisorOptions } from '../../advisor/model-timeout-advisor.js';
import { chosenModelOf } from '../../advisor/other-model.js';
import type { ModelProperties } from '../properties/model-properties.js';

/** The advisor that limits how long the model may take. None if no timeout is configured. */
export function modelTimeoutsOf(properties: ModelProperties): ModelTimeoutAdvisor[] {
  return properties.hasTimeLimits ? [new ConfiguredModelTimeouts(properties)] : [];
}

/** Limits the time of each model as configured for its name. */
class ConfiguredModelTimeouts extends ModelTimeoutAdvisor {
  constructor(private readonly properties: ModelProperties) {
    super();
  }

  protected override limitsOf(request: ChatClientRequest): Omit<ModelTimeoutAdvisorOptions, 'order'> {
    return this.properties.timeLimitsOf(chosenModelOf(request));
  }
}
