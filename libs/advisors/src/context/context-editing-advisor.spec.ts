import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  AroundAdvisor,
  AssistantMessage,
  ChatClient,
  type ChatClientRequest,
  FunctionToolCallback,
  type Message,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  type NextHandler,
  Prompt,
  ToolCallingAdvisor,
  type ToolMetadata,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { estimateTokensOf } from '@nestor-ai/core/internal';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { bothWays } from '../../../../test/both-ways.js';
import { clearResults, type ResultFate } from './clear-results.js';
import { ContextEditingAdvisor, type ContextEditingAdvisorOptions } from './context-editing-advisor.js';

const REMOVED = 'This result was removed to save space. If you need it, call the tool again.';
const DO_NOT_REPEAT = 'This result was removed to save space. Do not call the tool again only to read it.';
const READS: Partial<ToolMetadata> = { effect: 'read' };
const LONG = 'x'.repeat(4000);

/** A client with a tool `search`, whose results have some 1,000 tokens, that is called so often. */
function clientOf(
  calls: number,
  options: ContextEditingAdvisorOptions,
  metadata: Partial<ToolMetadata> = READS,
): { client: ChatClient; model: ScriptedChatModel } {
  const rounds = Array.from({ length: calls }, (_, at) => ({ toolCalls: [toolCall('search', { at }, `${at}`)] }));
  const model = new ScriptedChatModel([...rounds, 'Done']);
  const advisor = new ContextEditingAdvisor(options);
  return { client: ChatClient.builder(model).defaultTools(search(metadata)).defaultAdvisors(advisor).build(), model };
}

const search = (metadata: Partial<ToolMetadata> = READS) =>
  new FunctionToolCallback({
    name: 'search',
    inputSchema: { type: 'object', properties: { at: { type: 'number' } } },
    toolFunction: ({ at }: { at: number }) => `${at}${LONG}`,
    toolMetadata: { returnDirect: false, ...metadata },
  });

/** For each request, which results the model reads: `.` is removed. */
const resultsIn = ({ prompts }: ScriptedChatModel): readonly string[] =>
  prompts.map(({ messages }) =>
    messages
      .flatMap((message) => (message.role === 'tool' ? message.responses : []))
      .map(({ responseData }) => (responseData === REMOVED ? '.' : responseData[0]))
      .join(''),
  );

describe.each(bothWays)('editing the context (%s)', (_how, ask) => {
  it('removes the oldest results above the limit, some at a time', async () => {
    const { client, model } = clientOf(8, { at: 4500, keep: 2 });
    expect(await ask(client, 'Go')).toBe('Done');
    expect(resultsIn(model)).toEqual(['', '0', '01', '012', '0123', '...34', '...345', '...3456', '......67']);
  });

  it('never removes a result that the model has not read yet', async () => {
    const { client, model } = clientOf(3, { at: 1, keep: 0 });
    await ask(client, 'Go');
    expect(resultsIn(model)).toEqual(['', '0', '.1', '..2']);
  });

  it('nor if another advisor adds a message behind it', async () => {
    const rounds = [Array.from({ length: 5 }, (_, at) => toolCall('search', { at }, `${at}`))];
    const model = new ScriptedChatModel([...rounds.map((toolCalls) => ({ toolCalls })), 'Done']);
    const reminder = new (class extends AroundAdvisor {
      readonly name = 'Reminder';
      override readonly order = 0;
      around(request: ChatClientRequest, next: NextHandler) {
        const messages = [...request.prompt.messages, new UserMessage('Answer in French.')];
        return next.handle({ ...request, prompt: Prompt.of(messages, request.prompt.options) });
      }
    })();
    await ask(
      ChatClient.builder(model)
        .defaultTools(search())
        .defaultAdvisors(reminder, new ContextEditingAdvisor({ at: 3000 }))
        .build(),
      'Go',
    );
    expect(resultsIn(model).at(-1)).toBe('01234');
  });

  it('leaves short conversations alone', async () => {
    const { client, model } = clientOf(3, { at: 50_000 });
    await ask(client, 'Go');
    expect(resultsIn(model).at(-1)).toBe('012');
  });

  it.each<[string, Partial<ToolMetadata>]>([
    ['whose results are to be kept', { keepResult: true }],
    ['that changes something', { effect: 'write' }],
    ['that changes something for good', { effect: 'irreversible' }],
  ])('never removes the results of a tool %s', async (_which, metadata) => {
    const { client, model } = clientOf(6, { at: 2000, keep: 0 }, metadata);
    await ask(client, 'Go');
    expect(resultsIn(model).at(-1)).toBe('012345');
  });

  it('tells the model to call a tool again only if a label says that the tool reads', async () => {
    const { client, model } = clientOf(4, { at: 2000, keep: 0 }, {});
    await ask(client, 'Go');
    expect(model.toolResponses.slice(0, 2)).toEqual([DO_NOT_REPEAT, DO_NOT_REPEAT]);
  });

  it('leaves it to a provider that does it', async () => {
    const { client, model } = clientOf(6, { at: 2000 });
    const providerOptions = { anthropic: { contextManagement: { edits: [{ type: 'clear_tool_uses_20250919' }] } } };
    await ask(client.mutate().defaultOptions({ providerOptions }).build(), 'Go');
    expect(resultsIn(model).at(-1)).toBe('012345');
  });
});

it('removes results in requests only: a memory keeps them', async () => {
  const { client, model } = clientOf(6, { at: 3000, keep: 1 });
  const chatMemory = new MessageWindowChatMemory({ maxMessages: 100 });
  const order = ToolCallingAdvisor.DEFAULT_ORDER + 100;
  const memory = new MessageChatMemoryAdvisor({ chatMemory, order });
  await client.mutate().defaultAdvisors(memory).build().prompt('Go').conversation('c').call().content();
  expect(resultsIn(model).at(-1)).toContain('.');
  expect(JSON.stringify(await chatMemory.get('c'))).not.toContain(REMOVED);
});

it('says how to read a long result again, and keeps its labels', () => {
  const paged = `${LONG}\n[Cut here: … To read on, call read_tool_result with {"id":"0123abcd","offset":50}]`;
  const response = { id: '1', name: 'search', responseData: paged, untrusted: true, isError: true, value: { a: 1 } };
  const read = new AssistantMessage('Read.');
  const messages = [
    new UserMessage('Go'),
    new ToolResponseMessage({ responses: [response] }),
    read,
    new UserMessage('On'),
  ];
  const [, edited] = clearResults(messages, { at: 10, keep: 0, clear: 5, fateOf: () => 'repeat' });
  expect(edited).toMatchObject({
    responses: [
      {
        id: '1',
        name: 'search',
        responseData:
          'This result was removed to save space. If you need it, call read_tool_result with {"id":"0123abcd"}.',
        untrusted: true,
        isError: true,
      },
    ],
  });
  expect((messages[1] as ToolResponseMessage).responses[0]).toBe(response);
});

const fateOf = (name: string): ResultFate => (name === 'kept' ? 'keep' : 'repeat');
const rounds = fc.array(
  fc.record({ tool: fc.constantFrom('a', 'kept'), lengths: fc.array(fc.nat(4000), { minLength: 1, maxLength: 3 }) }),
  { maxLength: 15 },
);

it('removes what it has removed before, so that a prompt cache holds, and no more than it may', () => {
  fc.assert(
    fc.property(rounds, fc.nat(4), fc.integer({ min: 100, max: 3000 }), (given, keep, at) => {
      const clearing = { at, keep, clear: Math.ceil(at / 3), fateOf };
      const messages: Message[] = [new UserMessage('Go')];
      let before: readonly Message[] = [];
      let savedBefore = 0;
      for (const { tool, lengths } of given) {
        const responses = lengths.map((length, n) => ({ id: `${n}`, name: tool, responseData: 'x'.repeat(length) }));
        const toolCalls = responses.map(({ id, name }) => ({ id, name, arguments: '{}' }));
        messages.push(new AssistantMessage({ toolCalls }), new ToolResponseMessage({ responses }));
        const edited = clearResults(messages, clearing);
        const results = edited.flatMap((message) => (message.role === 'tool' ? message.responses : []));
        const isRemoved = results.map(({ responseData }) => responseData === REMOVED);
        // Never one that must stay.
        expect(isRemoved.slice(-Math.max(keep, lengths.length))).not.toContain(true);
        expect(results.some(({ name }, n) => name === 'kept' && isRemoved[n])).toBe(false);
        // Each time that the beginning of the request changes, it becomes shorter by a third.
        const isSame = JSON.stringify(edited.slice(0, before.length)) === JSON.stringify(before);
        const saved = estimateTokensOf(messages) - estimateTokensOf(edited);
        if (isSame) expect(saved).toBe(savedBefore);
        else expect(saved - savedBefore).toBeGreaterThanOrEqual(clearing.clear);
        before = edited;
        savedBefore = saved;
      }
    }),
    { seed: 41, numRuns: 300 },
  );
});

describe('the options', () => {
  it.each<[ContextEditingAdvisorOptions, RegExp]>([
    [{ at: 0 }, /^at must be a number of tokens above 0, but is 0\.$/],
    [{ at: Number.NaN }, /^at must be/],
    [{ at: 100, clear: 101 }, /^clear must be between 0 and at \(100\), but is 101\.$/],
    [{ at: 100, keep: 1.5 }, /^keep must be 0 or more results, but is 1\.5\.$/],
    [undefined as never, /new ContextEditingAdvisor\(\{ at: 50_000 \}\)/],
  ])('refuse %j', (options, message) => {
    expect(() => new ContextEditingAdvisor(options)).toThrow(message);
  });
});
