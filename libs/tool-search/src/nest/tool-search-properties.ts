import {
  booleanProperty,
  choiceProperty,
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

/** Reads what is said of all clients. */
export function readToolSearchProperties(
  given: ToolSearchPropertiesInit | undefined,
  source: PropertySource | undefined,
): ToolSearchReading {
  return read(['ai', 'chat', 'client', 'toolSearchAdvisor'], given, source);
}

/** Reads what is said of one named client. */
export function readClientProperties(clientName: string, source: PropertySource | undefined): ToolSearchReading {
  return read(['ai', 'clients', { name: clientName }, 'toolSearchAdvisor'], undefined, source);
}

function read(
  path: readonly KeyPart[],
  given: ToolSearchPropertiesInit | undefined,
  source: PropertySource | undefined,
): ToolSearchReading {
  const { properties, problems, foreign } = readProperties(TREE, path, given, source);
  // Nobody else has keys here.
  return { properties, problems: [...problems, ...foreign] };
}

/** What is said of one client over what is said of all. */
export function overlaid(all: ToolSearchProperties, own: ToolSearchProperties): ToolSearchProperties {
  const merged: Record<string, unknown> = { ...all };
  for (const [key, value] of Object.entries(own)) {
    if (typeof value === 'object') merged[key] = { ...(merged[key] as object), ...defined(value) };
    else if (value !== undefined) merged[key] = value;
  }
  return merged as unknown as ToolSearchProperties;
}

function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
