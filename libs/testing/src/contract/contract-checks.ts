import { inspect } from 'node:util';
import { lastValueFrom, type Observable, toArray } from 'rxjs';
import {
  AssistantMessage,
  type ChatModel,
  type ChatOptions,
  type ChatResponse,
  type Media,
  MessageAggregator,
  Prompt,
  type ToolCall,
} from '@nestor-ai/core';
import { assertEqual, fail } from './assertions.js';
import type { ContractAnswer, ContractContent, ContractHarness } from './contract-harness.js';

const NO_OPTIONS: ChatOptions = Object.freeze({});
const USAGE = Object.freeze({ promptTokens: 11, completionTokens: 7, totalTokens: 18 });

/** An answer with these pieces. A string is a piece of text. */
export function answerOf(
  question: string,
  content: readonly (string | ContractContent)[],
  rest: Partial<ContractAnswer> = {},
): ContractAnswer {
  const pieces = content.map((piece) => (typeof piece === 'string' ? ({ type: 'text', text: piece } as const) : piece));
  const finishReason = pieces.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
  return { question, content: pieces, finishReason, usage: USAGE, ...rest };
}

export function callOf(id: string, name: string, args: object): { type: 'tool-call'; call: ToolCall } {
  return { type: 'tool-call', call: { id, name, arguments: JSON.stringify(args) } };
}

export function modelOf(
  harness: ContractHarness,
  answers: readonly ContractAnswer[],
  defaultOptions = NO_OPTIONS,
): Promise<ChatModel> {
  return Promise.resolve(harness.model(answers, defaultOptions));
}

/** The answer in one piece, the chunks of a stream, and the answer that they make together. */
export interface BothAnswers {
  readonly called: ChatResponse;
  readonly chunks: readonly ChatResponse[];
  readonly streamed: ChatResponse;
}

/** Asks one model twice: in one piece and as a stream. */
export async function askBothWays(harness: ContractHarness, answer: ContractAnswer): Promise<BothAnswers> {
  return askBoth(await modelOf(harness, [answer]), new Prompt(answer.question));
}

export async function askBoth(model: ChatModel, prompt: Prompt): Promise<BothAnswers> {
  return { called: await model.call(prompt), ...(await readStream(model.stream(prompt))) };
}

export async function readStream(stream: Observable<ChatResponse>): Promise<Omit<BothAnswers, 'called'>> {
  let streamed: ChatResponse | undefined;
  const aggregated = new MessageAggregator().aggregate(stream, (response) => {
    streamed = response;
  });
  const chunks = await lastValueFrom(aggregated.pipe(toArray()));
  if (!streamed) return fail('A stream has at least one chunk', 'a chunk', chunks);
  return { chunks, streamed };
}

/** Checks that the answers of both ways are what was wanted. */
export function assertMessage({ called, streamed }: BothAnswers, wanted: ContractAnswer): void {
  const message = visibleOf(messageOf(wanted.content));
  assertEqual(visibleOf(outputOf(called)), message, 'call() gives the message that the model wrote');
  assertEqual(visibleOf(outputOf(streamed)), message, 'The chunks of stream() make the message that the model wrote');
  assertEqual(
    shapeOf(outputOf(streamed).metadata),
    shapeOf(outputOf(called).metadata),
    'stream() keeps the same metadata of the message as call()',
  );
}

export function outputOf(response: ChatResponse): AssistantMessage {
  return response.result?.output ?? fail('A response has a result', 'a result', response);
}

/** The message that consists of these pieces. */
export function messageOf(content: readonly ContractContent[]): AssistantMessage {
  const texts = (type: string): string =>
    content.map((piece) => (piece.type === type ? (piece as { text: string }).text : '')).join('');
  const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);
  const reasoning = texts('reasoning');
  const toolCalls = some(content.flatMap((piece) => (piece.type === 'tool-call' ? [piece.call] : [])));
  const media = some(content.flatMap((piece) => (piece.type === 'media' ? [piece.media] : [])));
  const sources = some(content.flatMap((piece) => (piece.type === 'source' ? [piece.source] : [])));
  const providerToolCalls = some(content.flatMap((piece) => (piece.type === 'provider-tool-call' ? [piece.call] : [])));
  return new AssistantMessage({
    text: texts('text'),
    ...(toolCalls && { toolCalls }),
    ...(reasoning !== '' && { reasoning }),
    ...(media && { media }),
    ...(sources && { sources }),
    ...(providerToolCalls && { providerToolCalls }),
  });
}

/** What an application sees of a message. Data of the provider may differ between two requests. */
function visibleOf(message: AssistantMessage): unknown {
  return {
    text: message.text,
    toolCalls: message.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: parse(args) })),
    reasoning: message.reasoning,
    media: message.media?.map(({ mimeType, data }) => ({ mimeType, data: base64Of(data) })),
    sources: message.sources?.map(({ type, url, title }) => ({ type, url, title })),
    providerToolCalls: message.providerToolCalls?.map(({ id, name, arguments: args, result, isError }) => ({
      id,
      name,
      arguments: parse(args),
      result,
      isError: isError ?? false,
    })),
  };
}

function parse(args: unknown): unknown {
  if (typeof args !== 'string') return fail('The arguments of a tool call are JSON text', 'a string', args);
  try {
    return JSON.parse(args);
  } catch {
    return fail('The arguments of a tool call are JSON text', 'valid JSON', args);
  }
}

function base64Of(data: Media['data']): string {
  if (data instanceof URL) return data.href;
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64');
}

/** The keys and types of a value, for values with ids that differ between requests. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]));
}

/** The error of a promise. Fails if the promise resolves. */
export async function errorOf(promise: Promise<unknown>, what: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  return fail(what, 'an error', `an answer: ${inspect(value, { depth: 4 }).slice(0, 300)}`);
}
