import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createCache } from 'cache-manager';
import { InMemoryConversationLog } from '../memory/in-memory-conversation-log.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import * as optional from '@nestor-ai/advisors';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { Advisor } from './advisor.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import * as ofCore from './index.js';

const advisors = { ...ofCore, ...optional };

const model = new ScriptedChatModel([]);
/** One of each advisor with its default order. */
const ofDefault: readonly Advisor[] = [
  new advisors.MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() }),
  new optional.ConversationSearchAdvisor({ log: new InMemoryConversationLog() }),
  new advisors.ToolCallingAdvisor(),
  new advisors.UsageBudgetAdvisor({}),
  new advisors.SafeGuardAdvisor({ sensitiveWords: [] }),
  new advisors.SimpleLoggerAdvisor(),
  new advisors.StructuredOutputValidationAdvisor({ outputType: Number }),
  new advisors.ResponseCacheAdvisor({ cache: createCache() }),
  new optional.ContextEditingAdvisor({ at: 1000 }),
  new advisors.FallbackModelAdvisor({ models: [model] }),
  new advisors.ModelTimeoutAdvisor(),
  new advisors.ChatModelAdvisor(model),
];

/** The orders of all advisors, from the first that sees a request. */
const ORDERS = [
  ...Object.entries(ADVISOR_ORDERS),
  ...[
    optional.ConversationSearchAdvisor,
    optional.UsageBudgetAdvisor,
    optional.ContextEditingAdvisor,
    optional.SafeGuardAdvisor,
    optional.SimpleLoggerAdvisor,
    optional.ResponseCacheAdvisor,
  ].map((advisor): [string, number] => [advisor.name, advisor.DEFAULT_ORDER]),
].sort(([, a], [, b]) => a - b);

/** The name and order in each row of the table in docs/reference/advisors.md. */
function documentedOrders(): [string, number][] {
  const page = readFileSync(new URL('../../../../docs/reference/advisors.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `(\w+Advisor)`\s*\| `(?:(\w+_PRECEDENCE)(?: ([+-]) )?)?(\d*)`/gm);
  return [...rows].map(([, name, bound, sign = '+', number]) => [
    name!,
    (bound ? advisors.Ordered[bound as keyof typeof advisors.Ordered] : 0) + Number(`${sign}${number || 0}`),
  ]);
}

describe('the table of orders', () => {
  it('matches the documentation, in the order in which advisors see a request', () => {
    expect(documentedOrders()).toEqual(ORDERS);
  });

  it('has every advisor that the packages export', () => {
    const concrete = Object.keys(advisors).filter((name) => name.endsWith('Advisor'));
    const markersAndBases = ['Advisor', 'AroundAdvisor', 'BaseAdvisor', 'MemoryAdvisor', 'ToolAdvisor'];
    expect(ORDERS.map(([name]) => name).sort()).toEqual(
      concrete.filter((name) => !markersAndBases.includes(name)).sort(),
    );
  });

  it('has the default order of each advisor', () => {
    expect(Object.fromEntries(ofDefault.map((advisor) => [advisor.constructor.name, advisor.order]))).toEqual(
      Object.fromEntries(ORDERS),
    );
    expect(Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER).toBe(ADVISOR_ORDERS.MessageChatMemoryAdvisor);
  });
});

describe('the option order', () => {
  it.each([
    [
      'MessageChatMemoryAdvisor',
      (orders: object) =>
        new advisors.MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory(), ...orders }),
    ],
    ['ToolCallingAdvisor', (orders: object) => new advisors.ToolCallingAdvisor(orders)],
    [
      'StructuredOutputValidationAdvisor',
      (orders: object) => new advisors.StructuredOutputValidationAdvisor({ outputType: Number, ...orders }),
    ],
  ])('of %s wins over its alias advisorOrder', (_name, create) => {
    expect(create({ order: 7, advisorOrder: 8 }).order).toBe(7);
    expect(create({ order: 7 }).order).toBe(7);
    expect(create({ advisorOrder: 8 }).order).toBe(8);
  });
});
