export { AugmentedToolCallback, type AugmentedArgumentEvent } from './augmentation/augmented-tool-callback.js';
export { AugmentedToolCallbackProvider } from './augmentation/augmented-tool-callback-provider.js';
export { ToolInputSchemaAugmenter } from './augmentation/tool-input-schema-augmenter.js';
export type { ToolDecorator } from './declaration/checked-method.js';
export { Tool } from './declaration/tool.decorator.js';
export type { CommonToolOptions, ToolOptions } from './declaration/tool-options.js';
export {
  findParameterParam,
  type InputSource,
  type JsonSchemaGeneratorOptions,
  type StandardSchema,
  ToolDeclarationException,
  ToolInputException,
  type ToolInputIssue,
  type ToolInputSources,
  ToolParam,
  type ToolParamOptions,
  type ToolParamType,
  type UnknownArguments,
} from '@nestor-ai/schema';
export { deriveToolCallback } from './record-tool-callback.js';
export { FunctionToolCallback } from './function-tool-callback.js';
export { checkInputRequest } from './input/input-request.js';
export { MethodToolCallback } from './method-tool-callback.js';
export { DefaultToolCallResultConverter, ToolCallResultConverter } from './result/tool-call-result-converter.js';
export { MethodToolCallbackProvider } from './method-tool-callback-provider.js';
export { StaticToolCallbackProvider } from './static-tool-callback-provider.js';
export { ToolCallbacks } from './tool-callbacks.js';
export { toJsonValue } from './result/check-output.js';
export { JsonSchemaGenerator, ToolDefinitions } from './tool-definitions.js';
export { ToolExecutionException } from './tool-execution.exception.js';
export { ToolFilter } from './tool-visibility.js';
export { getToolToken, toolProvider } from './tool-provider.js';
