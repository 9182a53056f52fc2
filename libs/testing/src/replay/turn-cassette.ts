import { LOOP_TOOL, type Message, type Prompt, toMessageJson } from '@nestor-ai/core';
import { answerSnapshot, errorSnapshot } from '../cassette/answer-snapshot.js';
import type {
  CassetteCall,
  CassetteContent,
  CassetteInteraction,
  CassetteTurn,
  JsonRecord,
} from '../cassette/cassette-content.js';
import { cassetteText } from '../cassette/cassette-file.js';
import { type Redaction, redactJson, textRedactor } from '../cassette/redaction.js';
import { requestSnapshot } from '../cassette/request-snapshot.js';
import type { ModelCallRecord, ToolCallRecord } from '../turn/recorded-calls.js';
import type { RecordedTurn } from '../turn/recorded-turn.js';

/** What a cassette of a turn contains beside the turn. */
export interface TurnCassetteOptions {
  /**
   * Whether the instructions belong to the request, and not to the client. A replay then sends them
   * as they were. Default: false.
   */
  readonly ownsInstructions?: boolean;
  /** What to remove from all texts, beside secrets in known formats. See `recordModel()`. */
  readonly redact?: Redaction | readonly Redaction[];
}

/**
 * The cassette of a turn, as the text of a JSON file for `replayTurn()`. It has the format of
 * `recordModel()`, with the messages, tool results and decisions of the turn.
 *
 * @throws Error if the turn still runs, or no model was asked
 */
export function turnCassette(turn: RecordedTurn, options: TurnCassetteOptions = {}): string {
  return cassetteText(cassetteOf(turn, options));
}

/** @throws Error if the turn still runs, or no model was asked */
export function cassetteOf(turn: RecordedTurn, { ownsInstructions, redact }: TurnCassetteOptions): CassetteContent {
  if (turn.status === 'running') throw new Error(`The turn '${turn.id}' still runs. Save it when it has ended.`);
  const [first] = turn.modelCalls;
  if (!first) throw new Error(`No model was asked in the turn '${turn.id}', so there is nothing to replay.`);
  const content: CassetteContent = {
    model: { ...(first.provider !== undefined && { provider: first.provider }), supportsStructuredOutput: true },
    interactions: turn.modelCalls.flatMap((call, at) => toInteraction(call, turn.toolCalls, at)),
    turn: toCassetteTurn(turn, first, ownsInstructions === true),
  };
  return redactJson(content, textRedactor(redact));
}

/** A call that was aborted has neither an answer nor an error to replay. */
function toInteraction(call: ModelCallRecord, toolCalls: readonly ToolCallRecord[], at: number): CassetteInteraction[] {
  const { messages, options, isStreamed, response, error } = call;
  const method = isStreamed ? 'stream' : 'call';
  const request = requestSnapshot(method, { messages } as Prompt, options);
  const answer = response && answerSnapshot(response);
  const asked = (answer?.message?.['toolCalls'] ?? []) as { id: string }[];
  const ran = toolCalls.filter(({ modelCall }) => modelCall === at);
  // The loop gives a random id to a call whose model has given none, or has used it before.
  for (const [index, call] of asked.entries()) call.id = ran[index]?.asked.id ?? call.id;
  const failure = error === undefined ? undefined : { error: errorSnapshot(error) };
  if (!answer && !failure) return [];
  const answered = answer && (isStreamed ? { chunks: [answer] } : { response: answer });
  return [{ request, ...answered, ...failure }];
}

function toCassetteTurn(turn: RecordedTurn, first: ModelCallRecord, ownsInstructions: boolean): CassetteTurn {
  const { history, options } = first;
  const callbacks = (options.toolCallbacks ?? []).filter((callback) => !(LOOP_TOOL in callback));
  const { toolContext } = options;
  const pending = turn.pending.map(({ id }) => id);
  return {
    client: turn.client,
    isStreamed: first.isStreamed,
    ...(ownsInstructions && { system: instructionsOf(history) }),
    messages: history.filter(({ role }) => role !== 'system').map(toMessageJson),
    tools: callbacks.map(({ toolDefinition }) => toolDefinition.name),
    ...(toolContext && Object.keys(toolContext).length > 0 && { toolContext: toolContext as JsonRecord }),
    calls: turn.toolCalls.flatMap(toCassetteCall),
    answer: turn.answer,
    ...(turn.status === 'failed' && { error: errorSnapshot(turn.error).message }),
    ...(pending.length > 0 && { pending }),
  };
}

function toCassetteCall({ asked, ran, response, isError, isDenied, approval }: ToolCallRecord): CassetteCall[] {
  if (!response) return [];
  const isDecided = isDenied || approval !== undefined;
  const isChanged = approval?.modelArguments !== undefined;
  return [
    {
      id: asked.id,
      name: asked.name,
      arguments: (ran ?? asked).arguments,
      result: response.responseData,
      ...(isError && { isError }),
      ...(response.untrusted && { untrusted: true }),
      ...(isDecided && { decision: { approved: !isDenied, ...(isChanged && { isChanged }) } }),
    },
  ];
}

/** The texts of the system messages. */
export function instructionsOf(messages: readonly Message[]): string {
  return messages.flatMap((message) => (message.role === 'system' ? message.text : [])).join('\n\n');
}
