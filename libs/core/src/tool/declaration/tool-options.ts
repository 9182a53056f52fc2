import type { Awaitable } from '../../model/awaitable.js';
import type { JsonSchema, StandardSchema, ToolParamType, Type, UnknownArguments } from '@nestor-ai/schema';
import type { ToolContext } from '../../model/tool-context.js';
import type { ToolModelOptions } from '../../model/tool-definition.js';
import type { AnyInput, ToolPolicies } from '../../model/tool-policies.js';
import type { ToolUi } from '../../model/tool-ui.js';
import type { ToolCallResultConverter } from '../result/tool-call-result-converter.js';

/** The options that `@Tool()`, `toolProvider()` and `FunctionToolCallback` share. */
export interface CommonToolOptions<Input = AnyInput> extends ToolPolicies<Input>, ToolModelOptions {
  /**
   * What the tool does and when to use it. The model chooses tools by this text. Default: the
   * comment of the method, if the compiler plugin read it, else the words of the name.
   */
  description?: string;
  /**
   * Whether the result is the answer to the user and does not go back to the model. Default:
   * false.
   */
  returnDirect?: boolean;
  /**
   * How to treat arguments that the tool does not declare. `refuse`: the call fails and the model
   * is told. `strip`: they are removed. `allow`: they are accepted, and the schema says so. With
   * `inputSchema`, the schema decides. Default: `refuse`.
   */
  unknownArguments?: UnknownArguments;
  /**
   * Decides whether a request may use the tool, based on its tool context:
   * `(context) => context.get('role') === 'admin'`. Otherwise the tool does not exist for the
   * model. Default: every request may use it.
   */
  visible?: (context: ToolContext) => Awaitable<boolean>;
  /** Whether the tool is offered to clients and requests that don't list tools. Default: true. */
  offeredByDefault?: boolean;
  /**
   * Whether `McpServerModule` of `@nestor-ai/mcp` lets MCP clients list and call the tool.
   * Default: false.
   */
  mcp?: boolean;
  /**
   * Whether `RemoteToolServiceModule` of `@nestor-ai/remote-tools` lets other applications
   * call the tool over a Nest transport. Default: false.
   */
  remote?: boolean;
  /**
   * The type of the result: a class with class-validator decorators, `String`, or a list such as
   * `[Order]`. MCP clients get its schema and the result as structured content, and
   * `response.value` has the returned value. Never sent to the model. Outside production, Nestor
   * logs results that do not match. Default: the object that the method returns, if the compiler
   * plugin read its type and no `resultConverter` changes the result.
   */
  outputType?: ToolParamType;
  /** Like `outputType`: a Standard Schema (Zod, ArkType, Valibot, …) or JSON Schema. */
  outputSchema?: StandardSchema | JsonSchema;
  /**
   * What a browser may see of the calls in `toUIMessageStream()` and `toSse()`: the arguments
   * (`input`), the results (`result`), `all` or `none`. Hidden values are replaced by
   * `{ hidden: true }`. Default: the property `ai.ui.content`.
   */
  ui?: ToolUi;
  /** Custom data about the tool, such as a category. Never sent to the model. */
  metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The options of `@Tool()`.
 *
 * `inputType` or `inputSchema` types the input of functions such as `needsApproval`. Without them,
 * write the type yourself: `needsApproval: ({ amount }: RefundDto) => amount > 100`.
 */
export interface ToolOptions<Input = AnyInput, Declared = Input> extends CommonToolOptions<Input> {
  /** The name that the model uses. Default: the method's name. */
  name?: string;
  /**
   * Converts the result for the model: an instance, or a class, which can be a provider. Default:
   * the converter of `AiModule`.
   */
  resultConverter?: ToolCallResultConverter | Type<ToolCallResultConverter>;
  /** The class of the input. The method receives an instance of it, then the `ToolContext`. */
  inputType?: Type<Declared>;
  /**
   * The schema of the input: a Standard Schema (Zod, ArkType, Valibot, …) or JSON Schema. The
   * method receives the whole input, then the `ToolContext`.
   */
  inputSchema?: StandardSchema<unknown, Declared> | JsonSchema;
}

/** The options of a method that is a handler, not a tool. */
export interface HandlerOptions extends ToolOptions {
  /**
   * Makes the method a handler of this kind instead of a tool, such as `MCP resource`: no model is
   * ever offered it, by name or class either. Code that serves the kind finds its handlers with
   * `ToolRegistry.handlers(kind)`, and calls them like tools. A method can be a tool and handlers of
   * several kinds.
   */
  kind: string;
}

/** The options that `toolProvider()` and `FunctionToolCallback` share. */
export interface FunctionToolOptions<Input = unknown> extends CommonToolOptions<InputValue<Input>> {
  /**
   * The class of the input. For `String`, `Number`, `Boolean` or `Date`, the function receives the
   * value.
   */
  inputType?: InputType<Input>;
  /** The schema of the input. Without it and without `inputType`, the tool takes no input. */
  inputSchema?: StandardSchema<unknown, Input> | JsonSchema;
  /**
   * Decorators that set metadata for global guards, as on a method: `[Roles(['admin'])]`,
   * `[SetMetadata('roles', ['admin'])]`. Guards and other enhancers are not allowed here.
   */
  decorators?: readonly MethodDecorator[];
}

/** The class of an input. For a primitive: its wrapper class. */
export type InputType<Input> =
  | Type<Input>
  | (Input extends string
      ? StringConstructor
      : Input extends number
        ? NumberConstructor
        : Input extends boolean
          ? BooleanConstructor
          : never);

/** The input type for a class. For `Number`, whose instance type is the wrapper, it is `number`. */
export type InputValue<Input> = 0 extends 1 & Input
  ? Input
  : [Input] extends [string | number | boolean]
    ? Input
    : [Input] extends [InstanceType<StringConstructor>]
      ? string
      : [Input] extends [InstanceType<NumberConstructor>]
        ? number
        : [Input] extends [InstanceType<BooleanConstructor>]
          ? boolean
          : Input;
