/** What a provider accepts in the schema of a strict tool or answer. */
export interface StrictRules {
  /** The keywords that remain, besides those that determine the structure. */
  readonly keywords: ReadonlySet<string>;
  /** The formats of strings that remain. */
  readonly formats: ReadonlySet<string>;
  /** Whether all properties must be required. If so, optional ones may be null instead. */
  readonly requiresAll: boolean;
  /** Whether a schema may reference itself. */
  readonly allowsRecursion: boolean;
}

const NUMBERS = ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

/** The supported schemas of OpenAI's guide on structured outputs. Groq's strict mode has the same. */
export const OPENAI_STRICT: StrictRules = {
  keywords: new Set(['pattern', 'minItems', 'maxItems', ...NUMBERS]),
  formats: new Set(FORMATS),
  requiresAll: true,
  allowsRecursion: true,
};

/** DeepSeek's guide on tool calls: as OpenAI's, but without the bounds of arrays. */
export const DEEPSEEK_STRICT: StrictRules = {
  ...OPENAI_STRICT,
  keywords: new Set(['pattern', ...NUMBERS]),
  formats: new Set(['email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
};

/**
 * Anthropic's guide on structured outputs. Properties may be optional there, while the number of
 * unions is limited, so optional properties stay as they are.
 */
export const CLAUDE_STRICT: StrictRules = {
  keywords: new Set(),
  formats: new Set([...FORMATS, 'uri']),
  requiresAll: false,
  allowsRecursion: false,
};
