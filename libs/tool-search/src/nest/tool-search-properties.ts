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
  type ToolLoopContext,
} from '@nestor-ai/core';

const positive = { allowed: 'a whole number greater than 0', accepts: (value: number) => value > 0 };
const part = { allowed: 'a number between 0 and 1', accepts: (value: number) => value >= 0 && value <= 1 };

/** The kinds of index that can be chosen. `lucene` is another word for `keyword`. */
const INDEX_TYPES = ['keyword', 'vector', 'regex', 'hybrid', 'lucene'] as const;

/** The properties under `ai.chat.client.tool-search-advisor`, and for a named client under `ai.clients.<name>.tool-search-advisor`. */
const TREE = {
  enabled: booleanProperty(undefined),
  toolIndexType: choiceProperty(undefined, INDEX_TYPES),
  maxResults: integerProperty(undefined, positive),
  referenceToolNameAccumulation: booleanProperty(undefined),
  // Not trimmed: it follows what stands before it.
  systemMessageSuffix: {
    ...textProperty(),
    read: (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
  },
  sessionIdKeyName: textProperty(),
  advisorOrder: orderProperty(undefined),
  eviction: { lruMaxSessions: integerProperty(undefined, positive), ttl: durationProperty() },
  keyword: { minScoreThreshold: numberProperty(undefined, part) },
  lucene: { minScoreThreshold: numberProperty(undefined, part) },
} as const;

/** What is said of the tool search. What is not said is undefined. */
export type ToolSearchProperties = ResolvedProperties<typeof TREE>;

/** Part of the properties, as code gives them. */
export type ToolSearchPropertiesInit = DeepPartial<ToolSearchProperties>;

/** Properties, and what was wrong with them. */
export interface ToolSearchReading {
  readonly properties: ToolSearchProperties;
  readonly problems: readonly string[];
}

/** Reads what is said of clients: of one over what is said of all, the configuration over code. */
export class ToolSearchPropertiesReader {
  /**
   * @param given to `ToolSearchModule`, over what was given to `AiModule`
   * @param context whose clients they are
   */
  constructor(
    private readonly given: ToolSearchPropertiesInit | undefined,
    private readonly context: ToolLoopContext,
  ) {}

  /** What holds for a client. */
  read(clientName: string): ToolSearchReading {
    const { configuration, properties } = this.context;
    const given = overlaid(properties?.chat?.client?.toolSearchAdvisor, this.given);
    const all = read(['ai', 'chat', 'client', 'toolSearchAdvisor'], given, configuration);
    if (clientName === DEFAULT_CHAT_CLIENT) return all;
    const path = ['ai', 'clients', { name: clientName }, 'toolSearchAdvisor'];
    const own = read(path, properties?.clients?.[clientName]?.toolSearchAdvisor, configuration);
    return { properties: overlaid(all.properties, own.properties) as ToolSearchProperties, problems: own.problems };
  }

  /** The key of the index type of a client, for messages. */
  keyOf(clientName: string): string {
    const client = clientName === DEFAULT_CHAT_CLIENT ? 'ai.chat.client' : `ai.clients.${clientName}`;
    return `${client}.tool-search-advisor.tool-index-type`;
  }
}

function read(
  path: readonly KeyPart[],
  given: object | undefined,
  source: PropertySource | undefined,
): ToolSearchReading {
  const { properties, problems, foreign } = readProperties(TREE, path, given as ToolSearchPropertiesInit, source);
  const { lucene, keyword } = properties;
  // Nobody else has keys here.
  return {
    properties: {
      ...properties,
      keyword: { minScoreThreshold: keyword.minScoreThreshold ?? lucene.minScoreThreshold },
    },
    problems: [...problems, ...foreign],
  };
}

/** Values over others, also inside of groups. */
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
