import {
  booleanProperty,
  choiceProperty,
  DEFAULT_CHAT_CLIENT,
  type DeepPartial,
  durationProperty,
  integerProperty,
  type KeyPart,
  numberProperty,
  orderProperty,
  type PropertySource,
  readProperties,
  type ResolvedProperties,
  textProperty,
  type ExtensionContext,
} from '@nestor-ai/core';

const positive = { allowed: 'a whole number greater than 0', accepts: (value: number) => value > 0 };
const part = { allowed: 'a number between 0 and 1', accepts: (value: number) => value >= 0 && value <= 1 };

/** The available index types. `lucene` is an alias of `keyword`. */
const INDEX_TYPES = ['keyword', 'vector', 'regex', 'hybrid', 'lucene'] as const;

/**
 * The properties under `ai.chat.client.tool-search-advisor`, and for a named client under
 * `ai.clients.<name>.tool-search-advisor`.
 */
export const TOOL_SEARCH_PROPERTIES = {
  /**
   * Whether the model searches for its tools.
   *
   * @default `false`
   */
  enabled: booleanProperty(undefined),
  /**
   * How the tools are searched. `lucene` is another word for `keyword`.
   *
   * @default `hybrid` if there is an `EmbeddingModel` or a `VectorStore`, otherwise `keyword`
   */
  toolIndexType: choiceProperty(undefined, INDEX_TYPES),
  /**
   * How many tools one search finds unless the model asks for another number.
   *
   * @default `5`
   */
  maxResults: integerProperty(undefined, positive),
  /**
   * Whether the tools of earlier searches stay available. `false` keeps those of the last search.
   *
   * @default `true`
   */
  referenceToolNameAccumulation: booleanProperty(undefined),
  /**
   * What the system message tells the model about searching. It follows your own system message.
   *
   * @default a text of Nestor's
   */
  // Not trimmed, because it is appended to other text.
  systemMessageSuffix: {
    ...textProperty(),
    read: (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
  },
  /**
   * The key of the advisor context that holds the name of the session.
   *
   * @default `chat_memory_conversation_id`
   */
  sessionIdKeyName: textProperty(),
  /**
   * Where the loop stands among the advisors.
   *
   * @default `-2147483348`
   */
  advisorOrder: orderProperty(undefined),
  eviction: {
    /**
     * How many sessions Nestor remembers.
     *
     * @default `1000`
     */
    lruMaxSessions: integerProperty(undefined, positive),
    /** How long Nestor remembers a session that nobody uses. */
    ttl: durationProperty(),
  },
  keyword: {
    /**
     * A tool is found only if its score is at least this part of the best score.
     *
     * @default `0.25`
     */
    minScoreThreshold: numberProperty(undefined, part),
  },
  lucene: {
    /** Another spelling of `keyword.min-score-threshold`. */
    minScoreThreshold: numberProperty(undefined, part),
  },
} as const;

/** The properties of the tool search. Unset properties are undefined. */
export type ToolSearchProperties = ResolvedProperties<typeof TOOL_SEARCH_PROPERTIES>;

/** A part of the properties, set in code. */
export type ToolSearchPropertiesInit = DeepPartial<ToolSearchProperties>;

/** Properties and their problems. */
export interface ToolSearchReading {
  readonly properties: ToolSearchProperties;
  readonly problems: readonly string[];
}

/**
 * Reads the properties of a client. Those of a client override those of all clients, and the
 * configuration overrides code.
 *
 * @param given from `ToolSearchModule`; overrides the properties given to `AiModule`
 * @param context the module of the client
 */
export function readToolSearch(
  clientName: string,
  given: ToolSearchPropertiesInit | undefined,
  { configuration, properties }: ExtensionContext,
): ToolSearchReading {
  const ofAll = overlaid(properties?.chat?.client?.toolSearchAdvisor, given);
  const all = read(['ai', 'chat', 'client', 'toolSearchAdvisor'], ofAll, configuration);
  if (clientName === DEFAULT_CHAT_CLIENT) return all;
  const path = ['ai', 'clients', { name: clientName }, 'toolSearchAdvisor'];
  const own = read(path, properties?.clients?.[clientName]?.toolSearchAdvisor, configuration);
  return { properties: overlaid(all.properties, own.properties) as ToolSearchProperties, problems: own.problems };
}

/** The property of a client's index type, for messages. */
export function indexTypeKeyOf(clientName: string): string {
  const client = clientName === DEFAULT_CHAT_CLIENT ? 'ai.chat.client' : `ai.clients.${clientName}`;
  return `${client}.tool-search-advisor.tool-index-type`;
}

function read(
  path: readonly KeyPart[],
  given: object | undefined,
  source: PropertySource | undefined,
): ToolSearchReading {
  const { properties, problems } = readProperties(
    TOOL_SEARCH_PROPERTIES,
    path,
    given as ToolSearchPropertiesInit,
    source,
  );
  const { lucene, keyword } = properties;
  return {
    properties: {
      ...properties,
      keyword: { minScoreThreshold: keyword.minScoreThreshold ?? lucene.minScoreThreshold },
    },
    problems,
  };
}

/** Merges two objects deeply. Values of `over` win. */
function overlaid(base: object | undefined, over: object | undefined): object | undefined {
  if (!base || !over) return over ?? base;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over) as [string, unknown][]) {
    if (value === undefined) continue;
    const below = merged[key];
    const isGroup = typeof value === 'object' && value !== null && typeof below === 'object' && below !== null;
    merged[key] = isGroup ? overlaid(below, value) : value;
  }
  return merged;
}
