import type { ToolContext } from '../../model/tool-context.js';
import type { AnyInput } from '../../model/tool-policies.js';
import type { InputValue } from './tool-options.js';

/**
 * The input of the functions in the options: as the caller names it, else as `inputType` or
 * `inputSchema` declares it. A JSON Schema declares `unknown`.
 */
export type OptionsInput<Named, Declared> = [Named] extends [never]
  ? unknown extends Declared
    ? AnyInput
    : NoInfer<Declared>
  : Named;

/**
 * What `@Tool()` with `inputSchema` or `inputType` returns: a `MethodDecorator` that does not compile
 * on a method whose parameter cannot take the input. Only for these, the first signature matches,
 * and its return type is an error for a decorator.
 */
export interface ToolDecorator<Input> {
  <Method>(
    target: object,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<Method> & Disagreement<InputValue<Input>, Method>,
  ): {
    error: 'inputSchema or inputType disagrees with the type of the parameter, which receives the whole input';
  };
  <Method>(target: object, method: string | symbol, descriptor: TypedPropertyDescriptor<Method>): void;
}

/** `unknown` if a method cannot take the input, otherwise `never`. */
type Disagreement<Input, Method> = Method extends (...parameters: infer Parameters) => unknown
  ? [Input] extends [ValueParameter<Parameters>]
    ? never
    : unknown
  : never;

/** The first parameter that is not injected. */
type ValueParameter<Parameters extends readonly unknown[]> = Parameters extends readonly [infer First, ...infer Rest]
  ? [First] extends [Injected]
    ? ValueParameter<Rest>
    : First
  : Parameters extends readonly [(infer First)?, ...infer Rest]
    ? [First] extends [Injected]
      ? ValueParameter<Rest>
      : First | undefined
    : unknown;

// eslint-disable-next-line typescript/no-explicit-any -- a context with any values
type Injected = ToolContext<any, any> | AbortSignal;
