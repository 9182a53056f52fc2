import { ToolContext } from '../../model/tool-context.js';
import { isType } from '../type.js';
import type { ParameterTypes } from '../typed/class-types.js';

/** Gives a parameter a value that does not come from the model. */
export type Injection = (context: ToolContext) => unknown;

const TOOL_CONTEXT_NAME = ToolContext.name;

/**
 * How the application fills a parameter. Undefined if the model does.
 *
 * @param type the type that TypeScript emitted
 */
export function injectionFor(type: unknown, types?: ParameterTypes): Injection | undefined {
  // Compilers that know no types emit the global AbortSignal for an interface of this name.
  if (types && !types.isInjected && (types.schema || types.error !== undefined)) return undefined;
  if (type === ToolContext) return passContext;
  if (type === AbortSignal) return passSignal;
  // The ToolContext class of another copy of this package.
  if (isType(type) && type.name === TOOL_CONTEXT_NAME && 'reportProgress' in (type.prototype as object)) {
    return passContext;
  }
  if (!types?.isInjected) return undefined;
  return types.isInjected === 'signal' ? passSignal : passContext;
}

const passContext: Injection = (context) => context;
const passSignal: Injection = (context) => context.signal;
