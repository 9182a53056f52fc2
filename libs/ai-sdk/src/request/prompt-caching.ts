import type { PromptCaching } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';
import type {
  CallOptions,
  FunctionTool,
  ProviderData,
  SpecificationMessage,
  SpecificationTool,
} from '../specification.js';

/** Where a provider package reads that the prompt is to be cached up to here. */
interface Breakpoint {
  /** The key of the provider in `providerOptions`. */
  readonly provider: string;
  readonly key: string;
  readonly value: object;
  /** Another spelling that the package reads. */
  readonly alias?: string;
  /** Whether the package reads it at tools. */
  readonly isReadAtTools: boolean;
}

const ANTHROPIC: Breakpoint = {
  provider: 'anthropic',
  key: 'cacheControl',
  alias: 'cache_control',
  value: { type: 'ephemeral' },
  isReadAtTools: true,
};

const BEDROCK: Breakpoint = {
  provider: 'bedrock',
  key: 'cachePoint',
  value: { type: 'default' },
  // A point after the system text also keeps the tools, which come before it.
  isReadAtTools: false,
};

/** Both providers accept this number of breakpoints in one request. */
const MAX_BREAKPOINTS = 4;

/**
 * Marks the parts of the prompt that the provider keeps for later requests. Breakpoints that the
 * application has set in `providerOptions` stay, and count. Providers that cache by themselves get
 * none.
 *
 * @param parts `ChatOptions.promptCaching`
 * @param call the complete options of the call. Its messages are changed in place, its tools are
 *   not.
 */
export function markCachedParts(parts: readonly PromptCaching[], call: CallOptions, model: AiSdkLanguageModel): void {
  const breakpoint = breakpointOf(model);
  if (!breakpoint || parts.length === 0) return;
  let left = MAX_BREAKPOINTS - countOf(call, breakpoint);
  for (const mark of marksOf(parts, call, breakpoint)) {
    if (left <= 0) return;
    if (mark()) left--;
  }
}

function breakpointOf({ provider, modelId }: AiSdkLanguageModel): Breakpoint | undefined {
  // The models of Anthropic at Amazon Bedrock, Vertex AI and the AI Gateway, too.
  if (provider.includes('anthropic') || (provider === 'gateway' && modelId.startsWith('anthropic/'))) return ANTHROPIC;
  return provider === 'amazon-bedrock' ? BEDROCK : undefined;
}

type Mark = () => boolean;

/** The breakpoints to set, the most useful first. Each returns whether it was set. */
function marksOf(parts: readonly PromptCaching[], call: CallOptions, breakpoint: Breakpoint): Mark[] {
  const { prompt, tools } = call;
  const hasTools = parts.includes('tools') && tools !== undefined && tools.length > 0;
  const marks: Mark[] = [];
  const markMessage = (message: SpecificationMessage | undefined): void => {
    if (message) marks.push(() => mark(message, breakpoint));
  };
  if (parts.includes('history')) markMessage(prompt.findLast(isAsked));
  if (parts.includes('system') || (hasTools && !breakpoint.isReadAtTools)) {
    markMessage(prompt.findLast(({ role }) => role === 'system'));
  }
  if (hasTools && breakpoint.isReadAtTools) {
    marks.push(() => {
      const marked = withMarkedTool(tools, breakpoint);
      call.tools = marked;
      return marked !== tools;
    });
  }
  // The last request has written up to here. The provider only looks back for about 20 blocks from
  // the end, which a round with many tool calls exceeds.
  if (parts.includes('history')) markMessage(prompt.filter(isAsked).at(-2));
  return marks;
}

/** The messages that end a request: they are the same in the next one. */
function isAsked({ role }: SpecificationMessage): boolean {
  return role === 'user' || role === 'tool';
}

function mark(message: SpecificationMessage, breakpoint: Breakpoint): boolean {
  if (countOfMessage(message, breakpoint) > 0) return false;
  message.providerOptions = marked(message.providerOptions, breakpoint);
  return true;
}

// The tools of a client are the same list in every request.
const markedTools = new WeakMap<object, NonNullable<CallOptions['tools']>>();

/** The tools with a breakpoint at the last one. The list itself if it has one already. */
function withMarkedTool(tools: NonNullable<CallOptions['tools']>, breakpoint: Breakpoint): typeof tools {
  let list = markedTools.get(tools);
  if (!list) {
    const at = tools.findLastIndex(({ type }) => type === 'function');
    const tool = tools[at];
    const isLeft = tool?.type !== 'function' || tools.some((other) => isMarkedTool(other, breakpoint));
    list = isLeft ? tools : tools.with(at, markedTool(tool, breakpoint));
    markedTools.set(tools, list);
  }
  return list;
}

function markedTool(tool: FunctionTool, breakpoint: Breakpoint): FunctionTool {
  return { ...tool, providerOptions: marked(tool.providerOptions, breakpoint) };
}

/** Tools of the provider have no options, so that they cannot carry a breakpoint. */
function isMarkedTool(tool: SpecificationTool, breakpoint: Breakpoint): boolean {
  return tool.type === 'function' && isMarked(tool.providerOptions, breakpoint);
}

function marked(options: ProviderData | undefined, { provider, key, value }: Breakpoint): ProviderData {
  return { ...options, [provider]: { ...options?.[provider], [key]: value } };
}

function isMarked(options: ProviderData | undefined, { provider, key, alias }: Breakpoint): boolean {
  const own = options?.[provider];
  return own !== undefined && (own[key] !== undefined || (alias !== undefined && own[alias] !== undefined));
}

/** The breakpoints that the application has set. */
function countOf({ prompt, tools = [] }: CallOptions, breakpoint: Breakpoint): number {
  const atTools = tools.filter((tool) => isMarkedTool(tool, breakpoint)).length;
  return prompt.reduce((count, message) => count + countOfMessage(message, breakpoint), atTools);
}

function countOfMessage(message: SpecificationMessage, breakpoint: Breakpoint): number {
  const atMessage = isMarked(message.providerOptions, breakpoint) ? 1 : 0;
  if (typeof message.content === 'string') return atMessage;
  const parts = message.content as readonly { providerOptions?: ProviderData }[];
  return atMessage + parts.filter((part) => isMarked(part.providerOptions, breakpoint)).length;
}
