import { type ChatClientRequestSpec, DEFAULT_CHAT_CLIENT } from '@nestor-ai/core';
import type { TurnControl } from '@nestor-ai/core/internal';
import { FollowedRequest, type RequestFollower } from './followed-request.js';
import { RecordedTurn } from './recorded-turn.js';

/** How {@link recordTurn} sends the request. */
export interface RecordTurnOptions {
  /** Whether to stream the answer. Default: false. */
  readonly stream?: boolean;
}

/**
 * Sends a request and returns what happened in its turn, also if it failed. If an advisor asked
 * several times, it is the last turn.
 *
 * @throws the error of the request if it failed before its turn, and an error if it has no turn
 * because the tool loop is turned off
 * @example
 * const turn = await recordTurn(chatClient.prompt('How warm is it in Paris?'));
 * expectTurn(turn).toCallTool('getTemperature', { city: 'Paris' });
 */
export function recordTurn(request: ChatClientRequestSpec, options: RecordTurnOptions = {}): Promise<RecordedTurn> {
  return recordFollowed(request, options, {});
}

/**
 * Like {@link recordTurn}, and lets another model answer.
 *
 * @param suspended the record of the turn that the request continues
 */
export async function recordFollowed(
  request: ChatClientRequestSpec,
  { stream = false }: RecordTurnOptions,
  follower: Omit<RequestFollower, 'onTurn'>,
  suspended?: RecordedTurn,
): Promise<RecordedTurn> {
  const records = new Map<string, RecordedTurn>();
  const onTurn = (turn: TurnControl): void => {
    const isSame = suspended?.id === turn.id;
    if (isSame) suspended.resume();
    const record = isSame ? suspended : new RecordedTurn(turn, turn.scope.services?.clientName ?? DEFAULT_CHAT_CLIENT);
    records.set(turn.id, record);
    turn.observe(record);
  };
  const followed = request.advisors(new FollowedRequest({ ...follower, onTurn }));
  let failure: { readonly error: unknown } | undefined;
  try {
    if (stream) for await (const _chunk of followed.stream().chatResponse());
    else await followed.call().chatClientResponse();
  } catch (error) {
    failure = { error };
  }
  const record = [...records.values()].at(-1);
  if (record) return record;
  if (failure) throw failure.error;
  throw new Error('The request has no turn, because its tool loop is turned off. Turn on tool-calling.enabled.');
}
