import { ModelTimeoutAdvisor } from '../../advisor/model-timeout-advisor.js';
import type { AiProperties } from '../properties/ai-properties.js';

/** The advisor that limits how long the model of a client may take, where a property does. */
export function modelTimeoutsOf({ model }: AiProperties): ModelTimeoutAdvisor[] {
  return Object.values(model).some((limit) => limit !== undefined) ? [new ModelTimeoutAdvisor(model)] : [];
}
