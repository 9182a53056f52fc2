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

/** Said before anything else, so that nobody takes it for more than it is. */
export const OFFLINE_NOTICE =
  'This is no language model: an offline stand-in picks tools by matching words. Set AI_MODEL_PROVIDER and AI_MODEL_NAME to use a real one.';

const NAME = 'offline-stand-in';
/** How long a stream waits between words, in milliseconds, so that one can see it. */
const PACE = 15;

type Decision = { readonly call: ToolCall } | { readonly text: string };

/**
 * Stands in for a language model where none is configured. It sees what any model sees, messages and tool
 * definitions, and matches words: it understands nothing.
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
  // "What day is tomorrow?" speaks of now and of tomorrow; what is told is tomorrow.
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
  // Whoever has searched takes what was found, the best first, and is content with one.
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

/** The tool that finds others, where there is one. */
const SEARCH = 'toolSearchTool';

/** What tools have answered, and the names that a search has found; undefined when there was none. */
function withoutSearch(all: readonly ToolResponse[]): {
  readonly responses: readonly ToolResponse[];
  readonly searched: readonly string[] | undefined;
} {
  const responses = all.filter(({ name }) => name !== SEARCH);
  const search = all.find(({ name }) => name === SEARCH);
  return { responses, searched: search && namesIn(search) };
}

/** A search that has found nothing answers with a sentence. */
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

/** What was asked last, and what tools have answered to it. */
function currentTurn(messages: readonly Message[]): { question: string; responses: readonly ToolResponse[] } {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const asked = messages[at];
  return {
    question: asked?.role === 'user' ? asked.text : '',
    responses: messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? message.responses : [])),
  };
}

function explain(tools: readonly ToolDefinition[], missing: readonly string[]): string {
  if (missing.length > 0) return `I would use a tool, but ${missing.join('; ')}.`;
  if (tools.length === 0) return 'I was offered no tools, and without them I know nothing.';
  return `I found no tool for this. I was offered: ${tools.map(({ name }) => name).join(', ')}.`;
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
