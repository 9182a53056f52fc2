import { describe, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  ChatClient,
  ChatMemory,
  ChatModel,
  ChatResponse,
  DefaultToolCallingManager,
  type Generation,
  MessageAggregator,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  type Prompt,
  Tool,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { UsageBudgetAdvisor } from '@nestor-ai/advisors';
import * as fc from 'fast-check';
import { firstValueFrom, from, last, lastValueFrom, type Observable, toArray } from 'rxjs';

/** What a model says in one round, in the order in which it says it. */
interface Round {
  readonly texts: readonly string[];
  readonly reasoning?: string | undefined;
  readonly itemId?: string | undefined;
  readonly tools: readonly string[];
  readonly tokens: number;
}

/** Says the same in one piece and in chunks. */
class TwinModel extends ChatModel {
  asked = 0;

  constructor(private readonly rounds: readonly Round[]) {
    super();
  }

  async call(_prompt: Prompt): Promise<ChatResponse> {
    let whole!: ChatResponse;
    const chunks = new MessageAggregator().aggregate(this.stream(), (response) => (whole = response));
    await lastValueFrom(chunks.pipe(last()));
    return whole;
  }

  stream(): Observable<ChatResponse> {
    const at = this.asked++;
    const { texts, reasoning, itemId, tools, tokens } = this.rounds[at] ?? { texts: ['End.'], tools: [], tokens: 1 };
    const calls = tools.map((name, index) => ({ id: `${at}.${index}`, name, arguments: '{}' }));
    const outputs = [
      ...(reasoning ? [new AssistantMessage({ reasoning })] : []),
      ...texts.map((text) => new AssistantMessage({ text })),
      ...calls.map((call) => new AssistantMessage({ toolCalls: [call] })),
    ];
    const end: Generation = {
      output: new AssistantMessage(itemId ? { metadata: { itemId } } : {}),
      metadata: { finishReason: calls.length > 0 ? 'tool-calls' : 'stop' },
    };
    const usage = { promptTokens: tokens, completionTokens: tokens, totalTokens: 2 * tokens };
    return from([
      ...outputs.map((output) => new ChatResponse({ results: [{ output }] })),
      new ChatResponse({ results: [end], metadata: { id: `r${at}`, model: 'twin', usage } }),
    ]);
  }
}

class Tools {
  readonly ran: string[] = [];

  @Tool()
  look() {
    this.ran.push('look');
    return 'seen';
  }

  @Tool({ returnDirect: true })
  direct() {
    this.ran.push('direct');
    return { told: 'directly' };
  }

  @Tool()
  throws() {
    this.ran.push('throws');
    throw new Error('no');
  }

  @Tool({ needsApproval: true })
  pay() {
    this.ran.push('pay');
    return 'paid';
  }
}

const round: fc.Arbitrary<Round> = fc.record({
  texts: fc.array(fc.constantFrom('Let me ', 'look. ', 'Here it is.', ' '), { maxLength: 3 }),
  reasoning: fc.option(fc.constantFrom('Hm.', 'I see.'), { nil: undefined }),
  itemId: fc.option(fc.constantFrom('item_1', 'item_2'), { nil: undefined }),
  tools: fc.array(fc.constantFrom('look', 'direct', 'direct', 'throws', 'nope', 'pay'), { maxLength: 3 }),
  tokens: fc.integer({ min: 1, max: 40 }),
});
const scene = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
  isMemoryInside: fc.boolean(),
  passesToolCalls: fc.boolean(),
  maxRounds: fc.integer({ min: 1, max: 4 }),
  maxCalls: fc.integer({ min: 1, max: 8 }),
  budget: fc.option(fc.integer({ min: 10, max: 150 }), { nil: undefined }),
});
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

/** Plays a turn, and tells what it leaves behind. */
async function play(given: Scene, isStreamed: boolean): Promise<object> {
  const memory = new MessageWindowChatMemory({ maxMessages: 1000 });
  const tools = new Tools();
  const model = new TwinModel(given.rounds);
  const order = ToolCallingAdvisor.DEFAULT_ORDER + 100;
  const client = ChatClient.builder(model)
    .defaultTools(tools)
    .defaultAdvisors(
      new ToolCallingAdvisor({
        maxRounds: given.maxRounds,
        streamToolCallResponses: given.passesToolCalls,
        toolCallingManager: new DefaultToolCallingManager({ limits: { maxTotalToolCalls: given.maxCalls } }),
      }),
      new MessageChatMemoryAdvisor({ chatMemory: memory, ...(given.isMemoryInside && { order }) }),
      ...(given.budget ? [new UsageBudgetAdvisor({ turn: { tokens: given.budget } })] : []),
      (a) => a.param(ChatMemory.CONVERSATION_ID, 'c'),
    )
    .build();
  const ask = async (approvals?: readonly { toolCallId: string; approved: boolean }[], turnId?: string) => {
    const spec = approvals ? client.prompt().toolApprovals(approvals, { turnId }) : client.prompt('Go');
    const chunks = isStreamed
      ? await firstValueFrom(spec.stream().chatResponse().pipe(toArray()))
      : [(await spec.call().chatResponse())!];
    return chunks.findLast(({ result }) => result?.metadata?.finishReason !== undefined)!;
  };
  let answer = await ask();
  for (let times = 0; times < 6; times++) {
    const waiting = answer.result?.metadata?.['pendingApprovals'] as readonly { id: string }[] | undefined;
    if (!waiting) break;
    const approvals = waiting.map(({ id }) => ({ toolCallId: id, approved: true }));
    answer = await ask(approvals, answer.metadata['turnId'] as string);
  }
  const { finishReason, value } = answer.result?.metadata ?? {};
  return {
    // Blanks of a stream have gone out before it is known that nothing follows them. The id of a turn
    // that was suspended is random.
    memory: (await memory.get('c')).map((message) => {
      const { turnId: _random, ...metadata } = message.metadata ?? {};
      return Object.assign(message, { metadata, ...(message.text !== undefined && { text: message.text.trim() }) });
    }),
    ran: tools.ran,
    asked: model.asked,
    finishReason,
    value,
    results: finishReason === 'returnDirect' ? answer.results.length : 1,
  };
}

describe('a turn, asked for in one piece and as a stream', () => {
  it('leaves the same behind', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (given) => {
        expect(await play(given, true)).toEqual(await play(given, false));
      }),
      { numRuns: 500 },
    );
  }, 60_000);
});
