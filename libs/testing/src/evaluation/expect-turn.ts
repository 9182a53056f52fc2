import { AssertionError } from 'node:assert';
import { messageOf, parseJson } from '@nestor-ai/schema';
import { errorTypeOf } from '@nestor-ai/core';
import type { ToolCallRecord } from '../turn/recorded-calls.js';
import type { RecordedTurn } from '../turn/recorded-turn.js';
import { matches, shown } from './matches.js';

/**
 * Checks a turn, in any test runner. Each method throws an `AssertionError` that shows what happened
 * instead.
 *
 * @param turn from `recordTurn()`, `replayTurn()` or `evaluate()`
 * @example
 * expectTurn(turn).toCallTool('getTemperature', { city: 'Paris' }).toAnswer(/21 degrees/);
 */
export function expectTurn(turn: RecordedTurn): TurnExpectation {
  return new TurnExpectation(turn);
}

/** The checks of {@link expectTurn}. */
export class TurnExpectation {
  constructor(private readonly turn: RecordedTurn) {}

  /**
   * A call of the tool has run without an error.
   *
   * @param args what its arguments must have. They may have more fields. Regular expressions and
   *   matchers such as `expect.any(String)` work at any depth. Default: any arguments
   */
  toCallTool(name: string, args?: unknown): this {
    const calls = this.turn.toolCalls.filter((call) => call.asked.name === name && call.response && !call.isError);
    if (calls.some((call) => args === undefined || matches(args, argumentsOf(call)))) return this;
    const hasFailed = this.turn.toolCalls.some(({ asked, isError }) => asked.name === name && isError);
    const how = `${withArgs(args)}${hasFailed ? ' without an error' : ''}`;
    throw this.#failure(`The turn did not call '${name}'${how}.`, this.toCallTool);
  }

  /** The model has not asked for this tool. */
  notToCallTool(name: string): this {
    if (this.turn.toolCalls.every(({ asked }) => asked.name !== name)) return this;
    throw this.#failure(`The turn called '${name}'.`, this.notToCallTool);
  }

  /**
   * The turn has ended with an answer.
   *
   * @param expected a part of the text, a regular expression, or a function that decides. Default:
   *   any answer
   */
  toAnswer(expected?: string | RegExp | ((answer: string) => boolean)): this {
    const { status, answer } = this.turn;
    if (status === 'completed' && answer !== '' && fits(expected, answer)) return this;
    const wanted = expected === undefined || typeof expected === 'function' ? '' : ` with ${shownText(expected)}`;
    throw this.#failure(`The turn did not answer${wanted}.`, this.toAnswer);
  }

  /**
   * A call of the tool waits for approval, for input of its user, or for a late result.
   *
   * @param args as those of {@link toCallTool}
   */
  toWaitFor(name: string, args?: unknown): this {
    const calls = this.turn.pending.filter((call) => call.name === name);
    if (calls.some((asked) => args === undefined || matches(args, argumentsOf({ asked })))) return this;
    throw this.#failure(`No call of '${name}'${withArgs(args)} waits.`, this.toWaitFor);
  }

  #failure(problem: string, method: (...given: never[]) => unknown): AssertionError {
    const message = `${problem}\n${describeTurn(this.turn)}`;
    // With any other operator, Jest adds that undefined was expected and received.
    return new AssertionError({ message, operator: 'fail', stackStartFn: method });
  }
}

function fits(expected: string | RegExp | ((answer: string) => boolean) | undefined, answer: string): boolean {
  if (expected === undefined) return true;
  if (typeof expected === 'function') return expected(answer);
  return typeof expected === 'string' ? answer.includes(expected) : answer.search(expected) >= 0;
}

function withArgs(args: unknown): string {
  return args === undefined ? '' : ` with ${shown(args)}`;
}

function shownText(expected: string | RegExp): string {
  return typeof expected === 'string' ? JSON.stringify(expected) : String(expected);
}

/** The arguments as they ran, as a value. Text if they are not JSON. */
function argumentsOf({ asked, ran }: Pick<ToolCallRecord, 'asked'> & Partial<ToolCallRecord>): unknown {
  const text = (ran ?? asked).arguments;
  return parseJson(text) ?? text;
}

/** What happened in a turn, in a few lines. */
export function describeTurn(turn: RecordedTurn): string {
  const calls = turn.toolCalls.map((call) => `  ${describeCall(call)}`);
  return [
    calls.length > 0 ? 'It called:' : 'It called no tools.',
    ...calls,
    turn.status === 'failed'
      ? `It failed: ${errorTypeOf(turn.error)}: ${messageOf(turn.error)}`
      : `It answered: ${shown(turn.answer)}`,
    ...turn.pending.map((call) => `It waits for: ${call.name}(${shorten(call.arguments)})`),
  ].join('\n');
}

function describeCall({ asked, ran, response, isError, isDenied }: ToolCallRecord): string {
  const call = `${asked.name}(${shorten((ran ?? asked).arguments)})`;
  if (!response) return `${call} has no answer`;
  const outcome = isDenied ? 'was denied' : isError ? 'failed' : 'returned';
  return `${call} ${outcome}: ${shorten(response.responseData)}`;
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
