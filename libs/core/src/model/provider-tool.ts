/**
 * A tool that the model's provider defines, such as a web search. The provider runs it, and the
 * answer contains its calls and results as `providerToolCalls`. Nestor never runs them.
 *
 * Some of these tools run on your side, such as Anthropic's `bash`. For these, add a tool of yours
 * with the same name: it runs the calls, and the model reads the provider's definition.
 */
export interface ProviderTool {
  readonly type: 'provider';
  /** The provider's id of the tool: `anthropic.web_search_20250305`. */
  readonly id: string;
  /** The name of the tool in its calls and results. */
  readonly name: string;
  /** The settings of the tool, as the provider defines them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** `false` if the application trusts what the tool returns. */
  readonly untrusted?: boolean;
}

/** The options of {@link providerTool}. */
export interface ProviderToolOptions {
  /** The name in calls and results. Default: the id without provider and date: `web_search`. */
  readonly name?: string;
  /**
   * Whether the results may contain text from strangers, such as web pages. After such results,
   * calls of `irreversible` tools need approval. An answer is only trusted if all tools of the
   * provider in the request have `false`. Default: true.
   */
  readonly untrusted?: boolean;
}

const ID = /^[a-z][\w-]*\.[\w.-]+$/i;
const DATE = /_\d{8}$/;

/**
 * A tool of the model's provider, for `.tools()`.
 *
 * @param id the provider's id of the tool, as in the documentation of its AI SDK package
 * @param args the settings of the tool
 * @throws TypeError if the id is not `<provider>.<tool>`
 * @example
 * chatClient.prompt('What is new?').tools(providerTool('anthropic.web_search_20250305', { maxUses: 3 }));
 */
export function providerTool(
  id: string,
  args: Readonly<Record<string, unknown>> = {},
  { name, untrusted }: ProviderToolOptions = {},
): ProviderTool {
  if (typeof id !== 'string' || !ID.test(id)) {
    throw new TypeError(
      `providerTool() needs the id of the tool, such as 'anthropic.web_search_20250305', but got ${JSON.stringify(id)}.`,
    );
  }
  return Object.freeze({
    type: 'provider',
    id,
    name: name ?? nameOf(id),
    args: Object.freeze({ ...args }),
    ...(untrusted !== undefined && { untrusted }),
  });
}

/** An object that names a tool of a provider. */
interface GivenProviderTool {
  readonly id: string;
  readonly name?: unknown;
  readonly args?: unknown;
  readonly untrusted?: unknown;
}

/** Whether a value is a {@link ProviderTool}, or a tool object of a provider's package. */
export function isProviderTool(value: unknown): value is GivenProviderTool {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id } = value as { type?: unknown; id?: unknown };
  return type === 'provider' && typeof id === 'string' && ID.test(id);
}

/** The tool of an object for which {@link isProviderTool} is true. */
export function toProviderTool(given: GivenProviderTool): ProviderTool {
  const { id, name, args, untrusted } = given;
  if (Object.isFrozen(given) && typeof name === 'string') return given as ProviderTool;
  return providerTool(id, (args ?? {}) as Record<string, unknown>, {
    ...(typeof name === 'string' && { name }),
    ...(typeof untrusted === 'boolean' && { untrusted }),
  });
}

function nameOf(id: string): string {
  return id.slice(id.indexOf('.') + 1).replace(DATE, '');
}
