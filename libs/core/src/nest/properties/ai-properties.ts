import { DEFAULT_LOCK_TIMEOUT } from '../../advisor/conversation-lock.js';
import { DEFAULT_MAX_ROUNDS, DEFAULT_ORDER, DEFAULT_TURN_LEASE } from '../../advisor/tool-calling-advisor.options.js';
import { PROMPT_CACHINGS } from '../../model/chat-options.js';
import { TOOL_UIS } from '../../model/tool-ui.js';
import { DEFAULT_UI_SETTINGS } from '../../model/ui-settings.js';
import { durationOrNoneProperty, durationProperty, waitProperty } from './duration-types.js';
import {
  booleanProperty,
  choiceProperty,
  choicesProperty,
  type DeepPartial,
  ELSEWHERE,
  forEachName,
  integerProperty,
  listProperty,
  orderProperty,
  positive,
  readBy,
  type ResolvedProperties,
  sharedGroup,
  textProperty,
  withoutDefaults,
} from './property-types.js';
import { TOOL_TREE } from './tool-property-tree.js';

/** How long running turns may continue when the application ends, in milliseconds. */
const DEFAULT_DRAIN_TIMEOUT = 5000;

const TOOL_SETS = ['discovered', 'none'] as const;

/** The properties of all clients, under `ai.chat.client`. */
export const CLIENT_PROPERTIES = {
  /**
   * `false` provides no `ChatClient`. Injecting one then fails at startup unless it is
   * `@Optional()`.
   */
  enabled: booleanProperty(true),
  /** Which tools requests get that don't list tools: all that Nestor found, or none. */
  defaultTools: choiceProperty('discovered', TOOL_SETS),
  /**
   * The parts of the prompt that the provider keeps for later requests: `tools`, `system`,
   * `history`. For Anthropic and Amazon Bedrock. Others cache by themselves or not at all. An empty
   * list keeps nothing.
   *
   * @default those of the model's default options
   */
  promptCaching: choicesProperty(PROMPT_CACHINGS),
  toolCalling: {
    /**
     * `false` turns the tool loop off: the model is told about tools, and you run the calls it
     * asks for.
     */
    enabled: booleanProperty(true),
    /** Where the loop stands among the advisors. */
    advisorOrder: orderProperty(DEFAULT_ORDER),
    /** How many model calls of one turn may ask for tools. */
    maxRounds: integerProperty(DEFAULT_MAX_ROUNDS, positive),
    /** How long a resumed turn stays blocked for other requests after its process has died. */
    turnLease: durationProperty(DEFAULT_TURN_LEASE),
  },
  observations: {
    /** Whether the log and spans contain what is sent to the model. */
    logPrompt: booleanProperty(false),
    /** Whether the log and spans contain what the model answers. */
    logCompletion: booleanProperty(false),
  },
  toolSearchAdvisor: readBy('ToolSearchModule', '@nestor-ai/tool-search'),
} as const;

/**
 * The properties of a single client, under `ai.clients.<name>`. Except for the last three, they
 * default to those of all clients.
 */
export const CLIENT_OVERRIDES = {
  ...withoutDefaults(CLIENT_PROPERTIES),
  /** `false` leaves this client out. */
  enabled: booleanProperty(true),
  /** Which tools requests of this client get that don't list tools. */
  defaultTools: choiceProperty('none', TOOL_SETS),
  /**
   * The model of this client: a name of `ai.models`, or a provider and an id such as
   * `openai:gpt-5-mini`. A request overrides it with `.options({ model })`.
   */
  model: textProperty(),
} as const;

/** The time limits for models, under `ai.model`. A package of models has further keys there. */
export const MODEL_TIMEOUT_PROPERTIES = {
  /** How long a model call may take in all. After that it fails. */
  timeout: durationProperty(),
  /** How long a stream may take until its first chunk. */
  firstChunkTimeout: durationProperty(),
  /** How long a stream may take from one chunk to the next. */
  chunkTimeout: durationProperty(),
} as const;

/** How the clients call models, under `ai.model` and `ai.models.<name>`. */
export const MODEL_PROPERTIES = {
  ...MODEL_TIMEOUT_PROPERTIES,
  /**
   * How many times Nestor asks the model again after a temporary error, before it has answered
   * anything. `0` turns that off.
   *
   * @default 2, or what the `ChatModel` says
   */
  retry: integerProperty(undefined, { allowed: 'a whole number, 0 or more', accepts: (value) => value >= 0 }),
  /**
   * The models to ask in turn when this one fails: names of `ai.models`, or a provider and an id
   * such as `openai:gpt-5-mini`.
   */
  fallbacks: listProperty(),
} as const;

/** The same for one model, under `ai.models.<name>`. They default to those of `ai.model`. */
export const NAMED_MODEL_PROPERTIES = {
  ...withoutDefaults(MODEL_PROPERTIES),
  fallbacks: MODEL_PROPERTIES.fallbacks,
} as const;

/** All properties, nested like the keys after `ai.`. The keys here are in camelCase. */
export const PROPERTY_TREE = {
  audit: readBy('AiAuditModule', '@nestor-ai/audit'),
  chat: {
    client: CLIENT_PROPERTIES,
    memory: {
      /** Whether requests with `.conversation(id)` are remembered. */
      enabled: booleanProperty(false),
      /** How many messages of a conversation the model sees: 20 by default, no limit with `max-tokens`. */
      maxMessages: integerProperty(undefined, positive),
      /** How many tokens of a conversation the model sees, as estimated by length. No limit by default. */
      maxTokens: integerProperty(undefined, positive),
      /** Whether a conversation belongs to the user of its first turn, and is closed to others. */
      owned: booleanProperty(true),
      /** How long a turn waits for the turn before it in the same conversation. */
      lockTimeout: waitProperty(DEFAULT_LOCK_TIMEOUT),
    },
  },
  clients: forEachName(CLIENT_OVERRIDES),
  shutdown: {
    /** How long running turns may continue when the application ends. `0` aborts them at once. */
    drainTimeout: durationOrNoneProperty(DEFAULT_DRAIN_TIMEOUT),
  },
  tools: TOOL_TREE,
  ui: {
    /** What browsers read when a tool fails: only that it failed, or the error message. */
    errors: choiceProperty(DEFAULT_UI_SETTINGS.errors, ['masked', 'message'] as const),
    /**
     * What browsers see of tool calls: their arguments (`input`), their results, both or neither.
     */
    content: choiceProperty(DEFAULT_UI_SETTINGS.content, TOOL_UIS),
    files: readBy('AiUiModule', '@nestor-ai/ui'),
  },
  mcp: readBy('McpClientModule', '@nestor-ai/mcp'),
  bullmq: readBy('BullAiModule', '@nestor-ai/bullmq'),
  inspector: readBy('AiInspectorModule', '@nestor-ai/inspector'),
  postgres: readBy('PostgresAiModule', '@nestor-ai/postgres'),
  model: sharedGroup(MODEL_PROPERTIES),
  models: forEachName(sharedGroup(NAMED_MODEL_PROPERTIES)),
  // A `registerAs('ai', …)` factory for `forRootAsync(aiConfig.asProvider())` has the options of
  // the module under the same root.
  chatModel: ELSEWHERE,
  memory: ELSEWHERE,
  properties: ELSEWHERE,
} as const;

/**
 * The current properties. The configuration overrides `forRoot({ properties })`, which overrides
 * the defaults. Also the injection token.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the token
export abstract class AiProperties {}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- its members
export interface AiProperties extends ResolvedProperties<typeof PROPERTY_TREE> {}

/** The properties of a client that another package reads. */
interface ClientPropertiesElsewhere {
  /** The properties of `ToolSearchModule` from `@nestor-ai/tool-search`. */
  readonly toolSearchAdvisor?: object;
}

/** Properties set in code. */
export type AiPropertiesInit = DeepPartial<AiProperties> & {
  /** The properties of `AiAuditModule` from `@nestor-ai/audit`. */
  readonly audit?: object;
  /** The properties of `AiUiModule` from `@nestor-ai/ui`. */
  readonly ui?: { readonly files?: object };
  readonly chat?: { readonly client?: ClientPropertiesElsewhere };
  readonly clients?: Readonly<Record<string, ClientPropertiesElsewhere>>;
};
