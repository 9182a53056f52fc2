import {
  AssistantMessage,
  ChatModel,
  ChatResponse,
  type Message,
  offeredToolDefinitions,
  type Prompt,
  type ToolCall,
  type ToolDefinition,
  type ToolResponse,
} from '@nestor-ai/core';
import { concatMap, delay, from, type Observable, of } from 'rxjs';
import { fillArguments } from './argument-filler.js';
import { phraseAnswer } from './phrasing.js';
import { findTimeExpressions } from './time-expression.js';
import { findClock, matchTools } from './tool-matcher.js';

/** Printed first: it says that the stand-in is not a language model. */
export const OFFLINE_NOTICE =
  'No model is configured, so an offline stand-in picks tools by matching words. Set AI_MODEL_PROVIDER and AI_MODEL_NAME to use a real model.';

const NAME = 'offline-stand-in';
/** The delay between the words of a stream in milliseconds, so that you can see them arrive. */
const PACE = 15;

type Decision = { readonly call: ToolCall } | { readonly text: string };

/**
 * Replaces the language model if none is configured. It gets messages and tool
 * definitions like any model, but it only matches words.
 */
export class OfflineChatModel extends ChatModel {
  override readonly provider = 'offline';
  override readonly modelName = NAME;

  async call(prompt: Prompt): Promise<ChatResponse> {
    return toResponse(decide(prompt));
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    const decision = decide(prompt);
    if ('call' in decision) return of(toResponse(decision));
    const words = decision.text.match(/\S+\s*/g) ?? [];
    return from([...words.map((text) => chunk(text)), chunk('', 'stop')]).pipe(
      concatMap((response) => of(response).pipe(delay(PACE))),
    );
  }
}

function decide(prompt: Prompt): Decision {
  const turn = currentTurn(prompt.messages);
  const { question } = turn;
  const offered = offeredToolDefinitions(prompt.options);
  const search = offered.find(({ name }) => name === SEARCH);
  const tools = offered.filter((tool) => tool !== search);
  const { responses, searched } = withoutSearch(turn.responses);
  // "What day is tomorrow?" contains two times, "what day" and "tomorrow". The last one counts.
  const time = findTimeExpressions(question).at(-1);
  const clock = time?.needsNow ? findClock(tools) : undefined;
  const called = new Set(responses.map(({ name }) => name));
  const now = readTime(responses.find(({ name }) => name === clock?.name));
  if (clock && !called.has(clock.name)) return { call: toolCall(clock, {}, responses.length) };

  const missing: string[] = [];
  const found = searched ? tools.filter(({ name }) => searched.includes(name)) : [];
  const answered = tools.filter(({ name }) => called.has(name) && name !== clock?.name);
  const matches = matchTools(question, tools, answered).map(({ tool }) => tool);
  if (search && !searched && responses.length === 0 && matches.length === 0) {
    return { call: toolCall(search, { query: question }, 0) };
  }
  // After a search, the best tool that it found is called, and only that one.
  const candidates = searched ? inOrderOf(searched, found) : matches;
  for (const tool of searched && responses.length > 0 ? [] : candidates) {
    if (called.has(tool.name)) continue;
    const filled = fillArguments(tool.inputSchema, { question, now, known: knownValues(responses) });
    if (filled.missing.length === 0) return { call: toolCall(tool, filled.values, turn.responses.length) };
    missing.push(`${tool.name} needs ${filled.missing.join(' and ')}`);
  }
  if (responses.length > 0) return { text: phraseAnswer(responses, clock?.name, time, now) };
  return { text: explain(tools, missing) };
}

/** The name of the search tool. */
const SEARCH = 'toolSearchTool';

/** The responses of tools, and the names that a search found; undefined if there was no search. */
function withoutSearch(all: readonly ToolResponse[]): {
  readonly responses: readonly ToolResponse[];
  readonly searched: readonly string[] | undefined;
} {
  const responses = all.filter(({ name }) => name !== SEARCH);
  const search = all.find(({ name }) => name === SEARCH);
  return { responses, searched: search && namesIn(search) };
}

/** A search without results answers with a sentence instead of a list. */
function namesIn({ responseData }: ToolResponse): readonly string[] {
  try {
    const names: unknown = JSON.parse(responseData);
    return Array.isArray(names) ? (names as readonly string[]) : [];
  } catch {
    return [];
  }
}

function inOrderOf(names: readonly string[], tools: readonly ToolDefinition[]): ToolDefinition[] {
  return names.flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
}

/** The last question and the responses of tools to it. */
function currentTurn(messages: readonly Message[]): { question: string; responses: readonly ToolResponse[] } {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const asked = messages[at];
  return {
    question: asked?.role === 'user' ? asked.text : '',
    responses: messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? message.responses : [])),
  };
}

function explain(tools: readonly ToolDefinition[], missing: readonly string[]): string {
  if (missing.length > 0) return `I cannot call a tool: ${missing.join('; ')}.`;
  if (tools.length === 0) return 'I have no tools, and I know nothing without them.';
  return `I found no tool for this. My tools: ${tools.map(({ name }) => name).join(', ')}.`;
}

function knownValues(responses: readonly ToolResponse[]): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const { responseData, isError } of responses) {
    if (isError) continue;
    try {
      const value: unknown = JSON.parse(responseData);
      if (typeof value === 'object' && value !== null) Object.assign(known, value);
    } catch {
      // Plain text has no named values.
    }
  }
  return known;
}

function readTime(response: ToolResponse | undefined): Date | undefined {
  const date = new Date(response?.responseData.replaceAll('"', '') ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function toolCall(tool: ToolDefinition, values: object, index: number): ToolCall {
  return { id: `offline_${index}`, name: tool.name, arguments: JSON.stringify(values) };
}

function toResponse(decision: Decision): ChatResponse {
  if ('text' in decision) return chunk(decision.text, 'stop');
  return new ChatResponse({
    results: [
      { output: new AssistantMessage({ toolCalls: [decision.call] }), metadata: { finishReason: 'tool-calls' } },
    ],
    metadata: { model: NAME },
  });
}

function chunk(text: string, finishReason?: string): ChatResponse {
  return new ChatResponse({
    results: [{ output: new AssistantMessage({ text }), ...(finishReason && { metadata: { finishReason } }) }],
    metadata: { model: NAME },
  });
}
