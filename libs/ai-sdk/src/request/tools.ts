import { type ChatOptions, offeredToolDefinitions, type ToolDefinition } from '@nestor-ai/core';
import { toSpecificationProviderTools } from './provider-tools.js';
import type { AbsentNulls } from '../schema/absent-nulls.js';
import { toSentTool } from '../schema/sent-tool.js';
import type { AiSdkLanguageModel } from '../language-model.js';
import type { CallOptions, ContentItem, SpecificationTool, StreamPart } from '../specification.js';

/**
 * The tools of a request in the form of the specification: the functions, then the tools of the
 * provider.
 *
 * @throws ChatModelException for a tool that the model's provider cannot take
 */
export function toToolOptions(
  options: ChatOptions,
  model: AiSdkLanguageModel,
): Pick<CallOptions, 'tools' | 'toolChoice'> {
  if (!options.toolCallbacks?.length && !options.providerTools?.length) return NO_TOOLS;
  const { tools } = toTools(options, model);
  if (tools.length === 0) return NO_TOOLS;
  const { toolChoice: choice } = options;
  if (!choice) return { tools };
  return { tools, toolChoice: typeof choice === 'string' ? { type: choice } : { type: 'tool', ...choice } };
}

const NO_TOOLS = {};

/**
 * Reads the arguments of a tool by its name, for tools whose schema makes the model write null for
 * what it leaves out. Undefined if there are no such tools, as usual.
 */
export function absentNullsOf(
  options: ChatOptions | undefined,
  model: AiSdkLanguageModel,
): ReadonlyMap<string, AbsentNulls> | undefined {
  return options?.toolCallbacks ? toTools(options, model).absentNulls : undefined;
}

/** A part of an answer. If it is a tool call, then without the nulls that mean absent. */
export function withoutAbsentNulls<Part extends ContentItem | StreamPart>(
  part: Part,
  absentNulls: ReadonlyMap<string, AbsentNulls> | undefined,
): Part {
  if (!absentNulls || part.type !== 'tool-call' || part.providerExecuted || !part.input) return part;
  const reader = absentNulls.get(part.toolName ?? '');
  const input = reader ? reader.readText(part.input) : part.input;
  return input === part.input ? part : { ...part, input };
}

interface KnownTools {
  readonly providerTools: ChatOptions['providerTools'];
  readonly tools: SpecificationTool[];
  readonly absentNulls: ReadonlyMap<string, AbsentNulls> | undefined;
}

// The definitions of a client's tools are the same list in every request.
const known = new WeakMap<AiSdkLanguageModel, WeakMap<readonly ToolDefinition[], KnownTools>>();

function toTools(options: ChatOptions, model: AiSdkLanguageModel): KnownTools {
  const { providerTools } = options;
  const definitions = offeredToolDefinitions(options);
  let ofModel = known.get(model);
  if (!ofModel) known.set(model, (ofModel = new WeakMap()));
  let made = ofModel.get(definitions);
  if (!made || made.providerTools !== providerTools) {
    made = makeTools(definitions, providerTools, model);
    ofModel.set(definitions, made);
  }
  return made;
}

function makeTools(
  definitions: readonly ToolDefinition[],
  providerTools: ChatOptions['providerTools'],
  model: AiSdkLanguageModel,
): KnownTools {
  const provided = providerTools?.length ? toSpecificationProviderTools(providerTools, model) : [];
  // The provider's definition wins. Your tool of the same name runs the calls.
  const names = new Set(provided.map(({ name }) => name));
  const functions = definitions.filter(({ name }) => !names.has(name)).map((one) => toSentTool(one, model));
  const absentNulls = functions.flatMap(({ tool, absentNulls: nulls }) => (nulls ? [[tool.name, nulls] as const] : []));
  return {
    providerTools,
    tools: [...functions.map(({ tool }) => tool), ...provided],
    absentNulls: absentNulls.length > 0 ? new Map(absentNulls) : undefined,
  };
}
