export {
  ObservationConvention,
  type ObservedAdvisor,
  type ObservedModelCall,
  type ObservedRequest,
  type ObservedToolCall,
  type SpanDescription,
} from './observation-convention.js';
export { redacted } from './redacted.js';
