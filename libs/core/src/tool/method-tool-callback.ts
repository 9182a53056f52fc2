import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import {
  type JsonSchema,
  JsonSchemaInput,
  type MethodInput,
  readMethodInput,
  stableJson,
  type Type,
} from '@nestor-ai/schema';
import { createToolDefinition, type ToolDefinition } from '../model/tool-definition.js';
import { DEFAULT_TOOL_METADATA, type ToolMetadata } from '../model/tool-metadata.js';
import { findToolMethod, type ToolMethod } from './declaration/tool.decorator.js';
import type { ToolOptions } from './declaration/tool-options.js';
import { checkCallable, MethodToolRecord } from './method-tool-record.js';
import { checkOptions, offerOf, policiesOf } from './policies.js';
import { RecordToolCallback } from './record-tool-callback.js';
import type { ToolCallResultConverter } from './result/tool-call-result-converter.js';
import { strictestUi } from './tool-ui.js';
import { moreCautious } from './trust/labels.js';

/** The options of {@link MethodToolCallback}. */
export interface MethodToolCallbackOptions {
  toolDefinition: ToolDefinition;
  toolMetadata?: ToolMetadata;
  /** The name of the method. */
  toolMethod: string;
  /** The instance whose method is called. */
  toolObject?: object;
  /** The class whose static method is called. */
  toolClass?: Type;
  toolCallResultConverter?: ToolCallResultConverter;
}

/** A method as a tool. */
export class MethodToolCallback extends RecordToolCallback {
  /**
   * @throws ToolDeclarationException when the method does not exist or only a container can call
   * it
   */
  constructor(options: MethodToolCallbackOptions | MethodToolRecord) {
    super(options instanceof MethodToolRecord ? options : toRecord(options));
  }

  static builder(): FluentBuilder<MethodToolCallbackOptions, MethodToolCallback> {
    return fluentBuilder((options: MethodToolCallbackOptions) => new MethodToolCallback(options));
  }
}

function toRecord(options: MethodToolCallbackOptions): MethodToolRecord {
  const { toolObject, toolClass, toolMethod } = options;
  const object = toolObject ?? toolClass;
  const target = (typeof object === 'object' ? Object.getPrototypeOf(object) : object) as object;
  const method = object && findToolMethod(target, toolMethod);
  checkCallable(object, target, toolMethod, method?.declared);
  const definition = createToolDefinition(options.toolDefinition);
  return new MethodToolRecord({
    definition,
    metadata: metadataOf(options.toolMetadata, method?.options),
    methodName: toolMethod,
    target,
    object,
    methodInput: () => readHeldTo(definition.inputSchema, target, toolMethod, method),
    resultConverter: options.toolCallResultConverter,
  });
}

/**
 * How the method takes its input. The definition's schema is enforced even if it differs from the
 * method's own.
 */
function readHeldTo(
  schema: JsonSchema,
  target: object,
  methodName: string,
  method: ToolMethod | undefined,
): MethodInput {
  const methodInput = readMethodInput({ target, methodName, options: method?.options ?? {} });
  const { input } = methodInput;
  if (stableJson(schema) === stableJson(input.schema)) return methodInput;
  const shown = new JsonSchemaInput(schema);
  return {
    ...methodInput,
    input: {
      schema,
      parse: (json) => input.parse(shown.parse(json)),
      verify: () => {
        shown.verify();
        input.verify?.();
      },
    },
  };
}

/**
 * Merges the given metadata with the method's. It cannot weaken the method's settings for
 * approval, visibility, labels, or what browsers may see.
 */
function metadataOf(given: ToolMetadata | undefined, options: ToolOptions = {}): ToolMetadata {
  const { metadata, visible } = options;
  checkOptions(options);
  const declared = { ...policiesOf(options), ...offerOf(options) };
  if (!metadata && Object.keys(declared).length === 0) return given ?? DEFAULT_TOOL_METADATA;
  const ui = strictestUi(given?.ui, declared.ui);
  const needsApproval = given?.needsApproval === true || declared.needsApproval;
  return Object.freeze({
    ...metadata,
    ...DEFAULT_TOOL_METADATA,
    ...declared,
    ...given,
    ...moreCautious(declared, given ?? {}),
    ...(needsApproval && { needsApproval }),
    ...(visible && { visible }),
    ...(ui && { ui }),
  });
}
