import { type Awaitable } from '@nestor-ai/core/internal';
import { costOf } from '@nestor-ai/advisors';
import type { ChatClient, ChatClientRequestSpec, ChatModel } from '@nestor-ai/core';
import type { ModelPrice } from '@nestor-ai/advisors';
import { messageOf } from '@nestor-ai/schema';
import { recordFollowed } from '../turn/record-turn.js';
import type { RecordedTurn } from '../turn/recorded-turn.js';
import { Evaluation } from './evaluation.js';
import type { EvaluatedTurn } from './evaluation-cell.js';

/** A question of an evaluation. */
export interface EvaluationQuestion {
  /** The question, or a function that completes the request: history, tools, the caller's request. */
  readonly ask: string | ((client: ChatClient) => ChatClientRequestSpec);
  /** The name in the report. Default: the question. Required if `ask` is a function. */
  readonly name?: string;
  /** Throws if the turn is wrong. See `expectTurn()`. Default: the turn must not fail. */
  readonly expect?: (turn: RecordedTurn) => Awaitable<unknown>;
}

/** The options of {@link evaluate}. */
export interface EvaluateOptions {
  readonly client: ChatClient;
  readonly questions: readonly EvaluationQuestion[];
  /**
   * The models to compare: names that the application has configured, or models. Default: the model
   * of the client.
   */
  readonly models?: Readonly<Record<string, ChatModel | string>>;
  /** How often to ask each question. Default: 1. */
  readonly repeat?: number;
  /** How many turns run at once. Default: 4. */
  readonly concurrency?: number;
  /** Prices in any currency per million tokens, by model name. `*` is for all others. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
}

const OWN_MODEL = 'default';

/**
 * Asks each question of each model, with the tools, guards and advisors of the application, and
 * checks the turns. Failures are part of the result.
 *
 * @throws TypeError if there are no questions, or a question without a text has no name
 * @throws RangeError unless `repeat` and `concurrency` are positive whole numbers
 * @example
 * const evaluation = await evaluate({
 *   client: app.get(ChatClient),
 *   models: { small: 'gpt-5-mini', large: 'gpt-5' },
 *   questions: [{ ask: 'How warm is it in Paris?', expect: (turn) => expectTurn(turn).toCallTool('getTemperature') }],
 * });
 * console.log(evaluation.toTable());
 * expect(evaluation.passRate('small')).toBe(1);
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { client, questions, prices, models = { [OWN_MODEL]: undefined } } = options;
  const repeat = positive('repeat', options.repeat ?? 1);
  const concurrency = positive('concurrency', options.concurrency ?? 4);
  if (questions.length === 0) throw new TypeError('evaluate() needs at least one question.');
  const jobs = Object.entries(models).flatMap(([model, chatModel]) =>
    questions.flatMap((question) => {
      const asked = { model, chatModel, question, name: nameOf(question) };
      return Array.from({ length: repeat }, () => asked);
    }),
  );
  const turns: EvaluatedTurn[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < jobs.length; at = next++) {
      const { model, chatModel, question, name } = jobs[at]!;
      turns[at] = await evaluated(client, question, { model, question: name }, chatModel, prices);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
  return new Evaluation(turns);
}

async function evaluated(
  client: ChatClient,
  { ask, expect = mustNotFail }: EvaluationQuestion,
  named: { readonly model: string; readonly question: string },
  chatModel: ChatModel | string | undefined,
  prices: EvaluateOptions['prices'],
): Promise<EvaluatedTurn> {
  const begun = performance.now();
  let turn: RecordedTurn | undefined;
  let problem: string | undefined;
  try {
    const request = typeof ask === 'string' ? client.prompt(ask) : ask(client);
    if (typeof chatModel === 'string') request.options({ model: chatModel });
    const other = typeof chatModel === 'object' ? { standIn: chatModel, isOtherModel: true } : {};
    turn = await recordFollowed(request, {}, other);
    await expect(turn);
  } catch (error) {
    problem = messageOf(error);
  }
  const duration = turn?.duration ?? performance.now() - begun;
  const cost = prices && turn ? costOfTurn(turn, prices) : undefined;
  return { ...named, turn, hasPassed: problem === undefined, problem, duration, usage: turn?.usage, cost };
}

function mustNotFail({ status, error }: RecordedTurn): void {
  if (status === 'failed') throw error;
}

/** The cost of all model calls of a turn. */
export function costOfTurn(turn: RecordedTurn, prices: Readonly<Record<string, ModelPrice>>): number {
  return turn.modelCalls.reduce((sum, { response, options }) => {
    const { usage, model = options.model } = response?.metadata ?? {};
    return sum + (usage ? costOf(usage, model, prices) : 0);
  }, 0);
}

function nameOf({ name, ask }: EvaluationQuestion): string {
  const known = name ?? (typeof ask === 'string' ? ask : undefined);
  if (known === undefined) throw new TypeError("A question of evaluate() whose 'ask' is a function needs a 'name'.");
  return known;
}

function positive(option: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw new RangeError(`The option '${option}' of evaluate() must be a positive whole number, but is ${value}.`);
}
