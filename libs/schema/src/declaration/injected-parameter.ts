import { isType } from '../type.js';
import type { ParameterTypes } from '../typed/class-types.js';

/** Marks the prototype of the class of contexts: a parameter of this class receives the context of the call. */
export const CALL_CONTEXT: unique symbol = Symbol.for('nestor.CallContext');

/** What a call has for parameters that the model does not fill. */
export interface CallContext {
  readonly signal: AbortSignal;
}

/** Gives a parameter a value that does not come from the model. */
export type Injection = (context: CallContext) => unknown;

/**
 * How the application fills a parameter. Undefined if the model does.
 *
 * @param type the type that TypeScript emitted
 */
export function injectionFor(type: unknown, types?: ParameterTypes): Injection | undefined {
  // Compilers that know no types emit the global AbortSignal for an interface of this name.
  if (types && !types.isInjected && (types.schema || types.error !== undefined)) return undefined;
  if (type === AbortSignal) return passSignal;
  if (isType(type) && CALL_CONTEXT in (type.prototype as object)) return passContext;
  if (!types?.isInjected) return undefined;
  return types.isInjected === 'signal' ? passSignal : passContext;
}

const passContext: Injection = (context) => context;
const passSignal: Injection = (context) => context.signal;
