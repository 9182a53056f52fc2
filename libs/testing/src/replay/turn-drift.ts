import type { ToolDefinition } from '@nestor-ai/core';
import type { CassetteContent, CassetteTurn, Json, JsonRecord } from '../cassette/cassette-content.js';
import { describeDifferences, requestDifferences } from '../cassette/request-differences.js';
import { toJson } from '../cassette/to-json.js';
import type { RecordedTurn } from '../turn/recorded-turn.js';
import { messageOf } from '@nestor-ai/schema';
import { instructionsOf } from './turn-cassette.js';

/**
 * How a replayed turn differs from the recorded one. `prompt`: the instructions. `tool`: a tool is
 * gone, or the model now reads something else about it. `call`: a tool call has another outcome.
 * `answer`: the end of the turn.
 */
export type TurnDriftKind = 'prompt' | 'tool' | 'call' | 'answer';

/** A difference between a replayed turn and the recorded one. */
export interface TurnDrift {
  readonly kind: TurnDriftKind;
  /** In words, with both values. */
  readonly text: string;
}

/** A replayed turn differs from the recorded one. */
export class TurnDriftException extends Error {
  override readonly name = 'TurnDriftException';

  /** @param turn what happened now */
  constructor(
    readonly file: string,
    readonly drifts: readonly TurnDrift[],
    readonly turn: RecordedTurn,
  ) {
    super(
      `The turn of '${file}' is not the recorded one any more:\n${drifts.map(({ text }) => text).join('\n')}\n` +
        'If the change is intended, record the turn again: run nestor-replay with --update, or the test with the ' +
        'environment variable NESTOR_CASSETTES=record.',
    );
  }
}

/** What a replay has to compare. */
export interface Replay {
  readonly content: CassetteContent & { readonly turn: CassetteTurn };
  readonly turn: RecordedTurn;
  /** The tools that the cassette has and the application does not. */
  readonly missingTools: readonly string[];
  /** How many answers of the cassette were not used. */
  readonly unusedAnswers: number;
  /** Replaces what changes with each run, and what the cassette has redacted. */
  readonly normalize: (text: string) => string;
}

/** All differences, in the order of the turn. */
export function driftsOf(replay: Replay): readonly TurnDrift[] {
  return [...promptDrifts(replay), ...toolDrifts(replay), ...callDrifts(replay), ...answerDrifts(replay)];
}

function promptDrifts({ content, turn, normalize }: Replay): TurnDrift[] {
  const recorded = content.interactions[0]?.request.messages ?? [];
  const before = recorded.filter(({ role }) => role === 'system').map(({ text }) => String(text));
  const now = instructionsOf(turn.modelCalls[0]?.messages ?? []);
  if (content.turn.system !== undefined) return [];
  return changed('prompt', 'The instructions have changed.', 'instructions', before.join('\n\n'), now, normalize);
}

function toolDrifts({ content, turn, missingTools, normalize }: Replay): TurnDrift[] {
  const gone = missingTools.map((name): TurnDrift => ({ kind: 'tool', text: `The tool '${name}' is gone.` }));
  const recorded = toolsByName(content.interactions[0]?.request.tools ?? []);
  const { toolCallbacks = [] } = turn.modelCalls[0]?.options ?? {};
  const now = toolsByName(toolCallbacks.map(({ toolDefinition }) => toolDefinition));
  const changes = [...recorded].flatMap(([name, before]): TurnDrift[] => {
    const current = now.get(name);
    if (!current) return [];
    const differences = requestDifferences(withTexts(before, normalize), withTexts(current, normalize));
    if (differences.length === 0) return [];
    return [{ kind: 'tool', text: `The tool '${name}' has changed:\n${describeDifferences(differences)}` }];
  });
  return [...gone, ...changes];
}

/** What a model reads of tools. */
function toolsByName(definitions: readonly (ToolDefinition | JsonRecord)[]): ReadonlyMap<string, JsonRecord> {
  const read = (definitions as readonly JsonRecord[]).map(({ outputSchema: _output, ...rest }) => rest);
  return new Map(read.map((tool) => [String(tool['name']), toJson(tool) as JsonRecord]));
}

function withTexts(value: JsonRecord, change: (text: string) => string): Json {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'string' ? change(item) : item,
  ) as Json;
}

function callDrifts({ content, turn, normalize }: Replay): TurnDrift[] {
  const open = [...turn.toolCalls];
  return content.turn.calls.flatMap((recorded): TurnDrift[] => {
    const at = open.findIndex(({ asked, response }) => asked.id === recorded.id && response);
    const [now] = at < 0 ? [] : open.splice(at, 1);
    const call = `${recorded.name}(${recorded.arguments})`;
    if (!now?.response) {
      const why = turn.pending.some(({ id }) => id === recorded.id) ? ': it waits for a decision now' : '';
      return [{ kind: 'call', text: `The call ${call} has no result any more${why}.` }];
    }
    const title =
      now.isError === (recorded.isError === true)
        ? `The call ${call} has another result.`
        : now.isError
          ? `The call ${call} fails now.`
          : `The call ${call} succeeds now.`;
    return changed('call', title, 'result', recorded.result, now.response.responseData, normalize);
  });
}

function answerDrifts({ content, turn, unusedAnswers, normalize }: Replay): TurnDrift[] {
  const { pending = [], answer, error = '(none)' } = content.turn;
  const now = messageOf(turn.error);
  if (turn.status === 'failed') return changed('answer', `The turn fails now: ${now}`, 'error', error, now, normalize);
  const waiting = turn.pending.map(({ id }) => id);
  if (pending.join('\n') !== waiting.join('\n')) {
    const names = turn.pending.map(({ name }) => name).join(', ') || 'nothing';
    return [{ kind: 'answer', text: `The turn waits for ${names} now.` }];
  }
  if (unusedAnswers > 0)
    return [
      { kind: 'answer', text: `The turn ends early: it does not use the last ${unusedAnswers} answers of the model.` },
    ];
  return changed('answer', 'The answer is another one.', 'answer', answer, turn.answer, normalize);
}

function changed(
  kind: TurnDriftKind,
  title: string,
  path: string,
  recorded: string,
  now: string,
  normalize: (text: string) => string,
): TurnDrift[] {
  const differences = requestDifferences(normalize(recorded), normalize(now), path);
  return differences.length === 0 ? [] : [{ kind, text: `${title}\n${describeDifferences(differences)}` }];
}
