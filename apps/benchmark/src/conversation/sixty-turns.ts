import {
  AiModule,
  AssistantMessage,
  ChatClient,
  type ChatMemory,
  ChatMemory as Memory,
  ConversationLog,
  type ConversationLog as Log,
  type Message,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  type Prompt,
  Tool,
  ToolCallingAdvisor,
  type UserMessage,
} from '@nestor-ai/core';
import { estimateTokensOf } from '@nestor-ai/core/internal';
import { ContextEditingAdvisor, ConversationSearchAdvisor, SummarizingChatMemory } from '@nestor-ai/advisors';
import { type ScriptedAnswer, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

export const TURNS = 60;
/** What the user says in the third turn, and what matters in the last one. */
export const FACT = 'FACT-4711';
const LAST_QUESTION = 'What is my order, and which chairs are there?';

/** How a conversation is kept short. */
export type Strategy =
  'nothing' | '20 messages' | '20 messages, with a search' | '8,000 tokens' | 'context editing' | 'summaries';

export interface Sent {
  /** The tokens of all requests, as estimated. */
  readonly tokens: number;
  /** The largest request. */
  readonly largest: number;
  /** Whether the model can read in the last turn what the user said in the third. */
  readonly knowsFact: boolean;
}

@Injectable()
class Shop {
  @Tool({ description: 'Finds products', effect: 'read' })
  find(page: number): string {
    return `Page ${page}: ${'chair, oak, 79.00 EUR; '.repeat(80)}`;
  }
}

/** Each turn asks for one or two pages, and answers in a few sentences. The last one searches first, if it can. */
function answer({ messages, options }: Prompt): ScriptedAnswer {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  const rounds = messages.length - question - 1;
  const asked = messages[question] as UserMessage;
  const canSearch = options?.toolCallbacks?.some(({ toolDefinition }) => toolDefinition.name === 'search_conversation');
  if (rounds === 0 && canSearch && asked.text === LAST_QUESTION)
    return { toolCalls: [toolCall('search_conversation', { query: 'my order' }, crypto.randomUUID())] };
  const turn = messages.filter(({ role }) => role === 'user').length;
  if (rounds < 2 * (1 + (turn % 2))) return { toolCalls: [toolCall('find', { page: rounds }, crypto.randomUUID())] };
  return { text: 'There are oak chairs for 79 EUR. '.repeat(8) };
}

/** Keeps what looks like a fact, and forgets the rest. */
function summarize({ messages }: { messages: readonly Message[] }): ScriptedAnswer {
  const transcript = (messages.at(-1) as AssistantMessage).text;
  const facts = new Set(transcript.match(/FACT-\d+/g));
  return { text: `The user looks for chairs. ${[...facts].join(', ')}` };
}

function memoryOf(strategy: Strategy, log: Log, model: ScriptedChatModel): ChatMemory {
  switch (strategy) {
    case '20 messages':
    case '20 messages, with a search':
      return new MessageWindowChatMemory({ log });
    case '8,000 tokens':
      return new MessageWindowChatMemory({ log, maxTokens: 8000 });
    case 'summaries':
      return new SummarizingChatMemory({ log, model, at: 8000 });
    default:
      return new MessageWindowChatMemory({ log, maxMessages: 10_000 });
  }
}

/** Runs a conversation of 60 turns with tools in an application, whose memory has the tool calls too. */
export async function sixtyTurns(strategy: Strategy): Promise<Sent> {
  const model = new ScriptedChatModel(answer);
  const summaries = new ScriptedChatModel(summarize);
  const order = ToolCallingAdvisor.DEFAULT_ORDER + 100;
  const providers = [
    {
      provide: Memory,
      inject: [ConversationLog],
      useFactory: (log: Log) => memoryOf(strategy, log, summaries),
    },
    {
      provide: MessageChatMemoryAdvisor,
      inject: [Memory],
      useFactory: (chatMemory: ChatMemory) => new MessageChatMemoryAdvisor({ chatMemory, order }),
    },
  ];

  @Module({ imports: [AiModule.forRoot({ chatModel: model, memory: true, providers })], providers: [Shop] })
  class AppModule {}

  const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
  let client = app.get(ChatClient);
  if (strategy === 'context editing')
    client = client
      .mutate()
      .defaultAdvisors(new ContextEditingAdvisor({ at: 8000 }))
      .build();
  if (strategy === '20 messages, with a search')
    client = client
      .mutate()
      .defaultAdvisors(new ConversationSearchAdvisor({ log: app.get(ConversationLog) }))
      .build();
  for (let turn = 1; turn <= TURNS; turn++) {
    const said =
      turn === TURNS
        ? LAST_QUESTION
        : turn === 3
          ? `My order is ${FACT}.`
          : `Question ${turn}: which chairs are there?`;
    await client.prompt(said).conversation('c').call().content();
    // A summary is made after a turn. People take longer to ask again.
    await new Promise(setImmediate);
  }
  await app.close();
  const sizes = [...model.prompts, ...summaries.prompts].map(({ messages }) => estimateTokensOf(messages));
  return {
    tokens: sizes.reduce((sum, size) => sum + size, 0),
    largest: Math.max(...sizes),
    knowsFact: JSON.stringify(model.lastPrompt!.messages).includes(FACT),
  };
}
