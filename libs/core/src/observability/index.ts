export { errorTypeOf } from './error-type.js';
export {
  type ContentKind,
  ObservationConvention,
  type ObservedAdvisor,
  type ObservedModelCall,
  type ObservedRequest,
  type ObservedToolCall,
  type SpanDescription,
} from './observation-convention.js';
export { redacted } from './redacted.js';
export type { ToolCallOutcome } from './tool-call-outcome.js';
