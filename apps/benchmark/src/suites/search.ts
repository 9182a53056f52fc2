/* Job k: a thousand tools of which the model finds the one it needs, beside a thousand that it is sent. */
import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import {
  AssistantMessage,
  ChatModel,
  ChatClient,
  ChatResponse,
  FunctionToolCallback,
  offeredToolDefinitions,
  type Prompt,
  type ToolCall,
} from '@nestor-ai/core';
import { KeywordToolIndex, ToolSearchToolCallingAdvisor } from '@nestor-ai/tool-search';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { NEVER } from 'rxjs';
import { z } from 'zod';
import { timeOf } from '../measure.js';
import { ARGUMENTS, catalogueOf, FINAL, QUESTION, TOOL, weatherAfter } from '../work.js';

// There is no application here that would be silent.
Logger.overrideLogger(false);

const TOOLS = 1000;

/** What a turn takes, in microseconds, and how many tokens of definitions are sent in all its rounds. */
export interface Searched {
  readonly time: number;
  readonly tokens: number;
}

/** Asks for the tools of its script, one after the other, and answers. */
class ScriptModel extends ChatModel {
  isCounting = true;
  tokens = 0;

  constructor(private readonly script: readonly Omit<ToolCall, 'id'>[]) {
    super();
  }

  async call({ messages, options }: Prompt): Promise<ChatResponse> {
    const definitions = offeredToolDefinitions(options);
    if (this.isCounting) this.tokens += definitions.reduce((sum, definition) => sum + tokensOf(definition), 0);
    const round = messages.filter(({ role }) => role === 'tool').length;
    const call = this.script[round];
    const output = call
      ? new AssistantMessage({ toolCalls: [{ id: `call_${round}`, ...call }] })
      : new AssistantMessage(FINAL);
    return new ChatResponse({ results: [{ output }] });
  }

  stream(): typeof NEVER {
    return NEVER;
  }
}

/** A definition as OpenAI's protocol has it. */
const tokensOf = (definition: object): number =>
  encode(JSON.stringify({ type: 'function', function: definition })).length;

const weather = weatherAfter(0);
const callbacks = Object.freeze(
  catalogueOf<z.ZodType>(TOOLS, z).map(
    ({ name, description, schema }) =>
      new FunctionToolCallback({ name, description, inputSchema: schema, toolFunction: weather as never }),
  ),
);

async function measure(model: ScriptModel, client: ChatClient): Promise<Searched> {
  const ask = (): Promise<string | undefined> => client.prompt(QUESTION).call().content();
  await ask();
  const { tokens } = model;
  model.isCounting = false;
  return { time: await timeOf(ask, FINAL), tokens };
}

/** A turn in which the model is sent all tools, and one in which it searches first. */
export async function measureSearch(): Promise<Readonly<Record<'all' | 'searched', Searched>>> {
  const call = { name: TOOL, arguments: ARGUMENTS };
  const sent = new ScriptModel([call]);
  const searching = new ScriptModel([{ name: 'toolSearchTool', arguments: '{"query":"weather of a city"}' }, call]);
  const search = new ToolSearchToolCallingAdvisor({ toolIndex: new KeywordToolIndex() });
  const clientOf = (model: ChatModel) => ChatClient.builder(model).defaultTools(callbacks);
  return {
    all: await measure(sent, clientOf(sent).build()),
    searched: await measure(searching, clientOf(searching).defaultAdvisors(search).build()),
  };
}
