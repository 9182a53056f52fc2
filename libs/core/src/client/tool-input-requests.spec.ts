import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { ApprovalTokens } from '../advisor/approvals/approval-tokens.js';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { InMemorySuspendedTurnRepository } from '../memory/in-memory-suspended-turn.repository.js';
import type { SuspendedTurn, TurnChange, TurnData } from '../memory/suspended-turn.repository.js';
import type { ToolApproval } from '../model/tool-approval.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import { ToolCallback } from '../model/tool-callback.js';
import { ToolContext } from '../model/tool-context.js';
import { createToolDefinition } from '../model/tool-definition.js';
import { type ToolInputRequest, ToolInputRequiredException } from '../model/tool-input-request.js';
import type { ToolPolicies } from '../model/tool-policies.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ToolExecutionException } from '../tool/tool-execution.exception.js';
import { storeTurn } from '../../../../test/store-turn.js';
import { toSse } from './to-sse.js';
import { toUIMessageStream } from '@nestor-ai/ui';
import { ChatClient } from './chat-client.js';

const SECRET = 'secret-of-the-tool';
const SEAT: ToolInputRequest = {
  message: 'Which seat?',
  schema: { type: 'object', properties: { seat: { type: 'string', pattern: '^\\d+[A-F]$' } }, required: ['seat'] },
  state: { session: SECRET },
};
const SHOWN = { message: SEAT.message, schema: SEAT.schema };
const BOOK = toolCall('book', { flight: 'LH1' }, 'call_1');
const PRICE = toolCall('price', {}, 'call_2');

/** Stores turns as JSON, like a database. */
class Turns extends InMemorySuspendedTurnRepository {
  readonly saved: SuspendedTurn[] = [];

  override save(turn: TurnData, change: TurnChange): number | undefined {
    const revision = super.save(JSON.parse(JSON.stringify(turn)) as TurnData, change);
    const stored = this.findById(turn.id);
    if (stored) this.saved.push(stored);
    return revision;
  }
}

type Run = (context: ToolContext) => unknown;
interface Given {
  readonly run?: Run;
  readonly policies?: ToolPolicies;
  readonly script?: readonly ScriptEntry[];
  readonly tokens?: ApprovalTokens;
}

const askOnce: Run = ({ input }) => {
  if (!input) throw new ToolInputRequiredException(SEAT);
  return `booked ${String(input.content['seat'])}`;
};

function scene({ run = askOnce, policies, script = [{ toolCalls: [BOOK] }, 'Done.'], tokens }: Given = {}) {
  const runs: unknown[] = [];
  const book = new FunctionToolCallback({
    name: 'book',
    inputSchema: { type: 'object', properties: { flight: { type: 'string' } } },
    ...(policies && { toolMetadata: { returnDirect: false, ...policies } }),
    toolFunction: (_input, context) => {
      runs.push(context.input);
      return run(context);
    },
  });
  const price = new FunctionToolCallback({ name: 'price', toolFunction: () => '100' });
  const model = new ScriptedChatModel([...script]);
  const turns = new Turns();
  const open = () =>
    ChatClient.builder(model)
      .defaultTools([book, price])
      .defaultAdvisors(
        new ToolCallingAdvisor({ suspendedTurnRepository: turns, ...(tokens && { approvalTokens: tokens }) }),
      )
      .build();
  const client = open();
  const decide = (decision: Partial<ToolApproval>, of: ChatClient = client) =>
    of
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true, ...decision }])
      .call()
      .chatResponse();
  return { runs, book, model, turns, client, open, decide };
}

describe('a tool that asks its user for input', () => {
  it('suspends the turn, and the response has the form without the state', async () => {
    const { client, runs, turns } = scene({ script: [{ toolCalls: [BOOK, PRICE] }, 'Done.'] });
    const asked = await client.prompt('Book').call().chatResponse();
    expect(asked?.finishReason).toBe('toolApprovalRequired');
    expect(asked?.pendingApprovals).toEqual([{ ...BOOK, inputRequest: SHOWN }]);
    expect(inspect(asked, { depth: null, showHidden: true })).not.toContain(SECRET);
    expect(runs).toEqual([undefined]);
    expect(turns.saved.at(-1)).toMatchObject({
      pending: [{ id: 'call_1', inputRequest: SHOWN }],
      inputs: { call_1: { request: SEAT } },
    });
    expect(turns.saved.at(-1)?.messages.at(-1)).toMatchObject({ responses: [{ id: 'call_2', responseData: '100' }] });
  });

  it('is shown and signed with the arguments that it received', async () => {
    const tokens = new ApprovalTokens({ secret: 'a secret of thirty-two characters' });
    const twice = toolCall('book', '{"flight":"LH1","flight":"LH2"}', 'call_1');
    const { client, decide } = scene({ tokens, script: [{ toolCalls: [twice] }, 'Done.'] });
    const asked = await client.prompt('Book').call().chatResponse();
    expect(asked?.pendingApprovals).toMatchObject([{ arguments: '{"flight":"LH2"}' }]);
    const token = asked!.metadata.approvalTokens!['call_1']!;
    expect((await decide({ token, input: { seat: '12A' } }))?.text).toBe('Done.');
  });

  it('runs again with the input and its state, in another process, and the model never reads either', async () => {
    const { client, runs, model, open, decide } = scene({ script: [{ toolCalls: [BOOK, PRICE] }, 'Done.'] });
    await client.prompt('Book').call().content();
    const answer = await decide({ input: { seat: '12A' } }, open());
    expect(answer?.text).toBe('Done.');
    expect(runs).toEqual([undefined, { content: { seat: '12A' }, state: { session: SECRET } }]);
    expect(model.toolResponses).toEqual(['booked 12A', '100']);
    const sent = JSON.stringify(model.lastPrompt?.messages);
    expect(sent).not.toContain(SECRET);
    expect(sent).not.toContain('inputRequest');
  });

  it('tells the model that the user has declined, and does not run again', async () => {
    const { client, runs, model, decide } = scene();
    await client.prompt('Book').call().content();
    await decide({ approved: false, reason: 'Too early' });
    expect(runs).toHaveLength(1);
    expect(model.toolResponses).toEqual([
      "The user has declined to give the input that 'book' asked for, so the call was not completed. Reason: Too early. " +
        'Do not repeat it unless the user asks for it.',
    ]);
  });

  it.each([
    ['wrong', { seat: 'window' }, /does not fit its form: 'seat' must match pattern/],
    ['missing', {}, /'seat' is required/],
    ['of the wrong type', { seat: 12 }, /'seat' must be string/],
    ['not in the form', { seat: '1A', price: 0 }, /'price' is not a field of the form/],
    ['not an object', ['1A'], /must be an object/],
    ['too long', { seat: 'A'.repeat(100_001) }, /more than 100000 characters/],
    ['a prototype', JSON.parse('{"seat":"1A","__proto__":{"isAdmin":true}}'), /'__proto__' is not a field/],
    ['inherited', Object.create({ seat: '1A' }), /'seat' is required/],
    ['not JSON', { seat: 1n }, /must be an object of plain JSON/],
    ['left out', undefined, /asks its user for input\. Pass the fields of the form/],
  ])('refuses input that is %s, and the turn still waits', async (_how, input, message) => {
    const { client, runs, turns, decide } = scene();
    await client.prompt('Book').call().content();
    const before = turns.saved.length;
    const refused = decide(input === undefined ? {} : { input: input as Record<string, unknown> });
    await expect(refused).rejects.toThrow(ToolApprovalException);
    await expect(refused).rejects.toThrow(message);
    expect(turns.saved).toHaveLength(before);
    expect((await decide({ input: { seat: '12A' } }))?.text).toBe('Done.');
    expect(runs).toHaveLength(2);
  });

  it('refuses input for a call that does not ask, and other arguments for one that does', async () => {
    const plain = scene({ policies: { needsApproval: true }, run: () => 'booked' });
    await plain.client.prompt('Book').call().content();
    await expect(plain.decide({ input: {} })).rejects.toThrow("The tool call 'call_1' does not ask for input");
    const asking = scene();
    await asking.client.prompt('Book').call().content();
    const changed = asking.decide({ input: { seat: '1A' }, arguments: { flight: 'LH2' } });
    await expect(changed).rejects.toThrow('its arguments cannot be changed');
  });

  it('may ask again: the turn is suspended again with the new question', async () => {
    const run: Run = ({ input }) => {
      const step = (input?.state ?? 0) as number;
      if (step < 2) throw new ToolInputRequiredException({ message: `Sure? ${step + 1}`, state: step + 1 });
      return 'booked';
    };
    const { client, turns, model, decide } = scene({ run });
    const first = await client.prompt('Book').call().chatResponse();
    const second = await decide({});
    expect(second?.pendingApprovals).toEqual([{ ...BOOK, inputRequest: { message: 'Sure? 2' } }]);
    expect(second?.turnId).toBe(first?.turnId);
    expect(new Set(turns.saved.map(({ revision }) => revision)).size).toBe(turns.saved.length);
    expect(turns.saved.at(-1)?.begun).toBeUndefined();
    expect((await decide({}))?.text).toBe('Done.');
    expect(model.toolResponses).toEqual(['booked']);
    expect(turns.findById(first!.turnId!)).toBeUndefined();
  });

  it('is approved first if it needs approval, and the approval still counts when it continues', async () => {
    const approvals: unknown[] = [];
    const run: Run = (context) => {
      approvals.push(context.approval);
      return askOnce(context);
    };
    const { client, runs, turns, decide } = scene({ policies: { needsApproval: true }, run });
    const asked = await client.prompt('Book').call().chatResponse();
    expect(asked?.pendingApprovals).toEqual([BOOK]);
    const form = await decide({ arguments: { flight: 'LH2' } });
    const changed = { ...BOOK, arguments: '{"flight":"LH2"}' };
    expect(form?.pendingApprovals).toEqual([{ ...changed, inputRequest: SHOWN }]);
    expect(turns.saved.at(-1)?.begun).toBeUndefined();
    expect((await decide({ input: { seat: '1A' } }))?.text).toBe('Done.');
    expect(runs).toHaveLength(2);
    expect(approvals).toEqual([{ modelArguments: BOOK.arguments }, { modelArguments: BOOK.arguments }]);
  });

  it('still needs approval when it continues, if the input is all that it got', async () => {
    let needed = false;
    const { client, runs, decide } = scene({ policies: { needsApproval: () => needed } });
    await client.prompt('Book').call().content();
    needed = true;
    const asked = await decide({ input: { seat: '1A' } });
    expect(asked?.pendingApprovals).toEqual([BOOK]);
    expect(runs).toEqual([undefined]);
  });

  it('keeps waiting without running while only other calls are decided', async () => {
    const other = toolCall('book', { flight: 'LH2' }, 'call_3');
    const { client, runs, model, decide } = scene({ script: [{ toolCalls: [BOOK, other] }, 'Done.'] });
    await client.prompt('Book').call().content();
    const left = await decide({ toolCallId: 'call_3', input: { seat: '3C' } });
    expect(left?.pendingApprovals).toEqual([{ ...BOOK, inputRequest: SHOWN }]);
    expect(runs).toHaveLength(3);
    await decide({ input: { seat: '1A' } });
    expect(model.toolResponses).toEqual(['booked 1A', 'booked 3C']);
  });

  it('is neither retried nor cached, and the input is neither', async () => {
    const { client, runs, decide } = scene({
      policies: { retry: { retries: 3, minDelay: 1, shouldRetry: () => true }, cacheTtl: 60_000, timeout: 5000 },
      script: [{ toolCalls: [BOOK] }, 'Done.', { toolCalls: [BOOK] }],
    });
    await client.prompt('Book').call().content();
    expect(runs).toHaveLength(1);
    await decide({ input: { seat: '1A' } });
    expect(runs).toHaveLength(2);
    const again = await client.prompt('Book').call().chatResponse();
    expect(again?.pendingApprovals).toHaveLength(1);
  });

  it('counts once for its rate limit', async () => {
    const { client, decide } = scene({ policies: { rateLimit: { calls: 1, interval: 60_000 } } });
    await client.prompt('Book').call().content();
    expect((await decide({ input: { seat: '1A' } }))?.text).toBe('Done.');
  });

  it('works in streams: the events and what browsers get have the form and no state', async () => {
    const { client } = scene();
    const events = await lastValueFrom(client.prompt('Book').stream().events().pipe(toArray()));
    const finish = events.at(-1)!;
    expect(finish).toMatchObject({ type: 'finish', pendingApprovals: [{ ...BOOK, inputRequest: SHOWN }] });
    expect(JSON.stringify(events)).not.toContain(SECRET);
    const resumed = client.prompt().toolApprovals([{ toolCallId: 'call_1', approved: true, input: { seat: '1A' } }]);
    const after = await lastValueFrom(resumed.stream().events().pipe(toArray()));
    expect(after[0]).toMatchObject({ type: 'tool-result', result: 'booked 1A' });
    expect(JSON.stringify(after)).not.toContain(SECRET);
  });

  it('is in the UI message stream as an approval request and a data part', async () => {
    const { client } = scene();
    const stream = toUIMessageStream(client.prompt('Book').stream().events());
    const chunks = (await lastValueFrom(stream.pipe(toArray()))).map(({ data }) => data as string);
    const request = JSON.parse(chunks.find((chunk) => chunk.includes('data-tool-input-request'))!);
    expect(request).toEqual({
      type: 'data-tool-input-request',
      id: 'call_1',
      data: { toolCallId: 'call_1', approvalId: expect.stringMatching(/:call_1$/), ...SHOWN },
    });
    expect(chunks.some((chunk) => chunk.includes('tool-approval-request'))).toBe(true);
    expect(chunks.join()).not.toContain(SECRET);
  });

  it('is in server-sent events', async () => {
    const { client } = scene();
    const events = await lastValueFrom(toSse(client.prompt('Book').stream().events()).pipe(toArray()));
    const text = JSON.stringify(events);
    expect(text).toContain('Which seat?');
    expect(text).not.toContain(SECRET);
  });

  it('needs the token of the question, and not that of an earlier approval', async () => {
    const tokens = new ApprovalTokens({ secret: 'x'.repeat(32) });
    const { client, decide } = scene({ tokens, policies: { needsApproval: true } });
    const asked = await client.prompt('Book').call().chatResponse();
    const tokenOf = (response: typeof asked) =>
      (response!.metadata['approvalTokens'] as Record<string, string>)['call_1']!;
    const form = await decide({ token: tokenOf(asked) });
    await expect(decide({ token: tokenOf(asked), input: { seat: '1A' } })).rejects.toThrow('needs the token');
    expect((await decide({ token: tokenOf(form), input: { seat: '1A' } }))?.text).toBe('Done.');
  });

  it('is found in a call whose id is __proto__', async () => {
    const call = { ...BOOK, id: '__proto__' };
    const { client, decide } = scene({ script: [{ toolCalls: [call] }, 'Done.'] });
    await client.prompt('Book').call().content();
    expect((await decide({ toolCallId: '__proto__', input: { seat: '1A' } }))?.text).toBe('Done.');
  });

  it('is recognized from another copy of the package, and as the cause of a ToolExecutionException', async () => {
    const foreign = Object.assign(new Error('copy'), { [Symbol.for('nestor.ToolInputRequired')]: true, request: SEAT });
    const copied = scene({
      run: () => {
        throw foreign;
      },
    });
    expect((await copied.client.prompt('Book').call().chatResponse())?.pendingApprovals).toHaveLength(1);
    const wrapped = scene({
      run: () => {
        throw new ToolExecutionException(wrapped.book.toolDefinition, new ToolInputRequiredException(SEAT), true);
      },
    });
    expect((await wrapped.client.prompt('Book').call().chatResponse())?.pendingApprovals).toHaveLength(1);
    const hidden = scene({
      run: () => {
        throw new Error('failed', { cause: new ToolInputRequiredException(SEAT) });
      },
    });
    await hidden.client.prompt('Book').call().content();
    expect(hidden.model.toolResponses).toEqual(['failed']);
  });

  it('is not seen in an error that has a value for everything', async () => {
    const mock = new Proxy(new Error('down'), { get: (error, key) => (key in error ? Reflect.get(error, key) : {}) });
    const { client, model } = scene({
      run: () => {
        throw mock;
      },
    });
    await client.prompt('Book').call().content();
    expect(model.toolResponses).toEqual(['down']);
  });

  it('throws when it is called without a turn, and its log has no state', async () => {
    const { book } = scene();
    const called = book.call('{}', new ToolContext());
    await expect(called).rejects.toBeInstanceOf(ToolInputRequiredException);
    const error = await called.catch((thrown: unknown) => thrown as ToolInputRequiredException);
    expect((error as ToolInputRequiredException).request).toEqual(SEAT);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(SECRET);
    expect(JSON.stringify(error)).not.toContain(SECRET);
  });

  it('works in a ToolCallback that parses its arguments itself', async () => {
    class Custom extends ToolCallback {
      readonly toolDefinition = createToolDefinition({ name: 'book', inputSchema: { type: 'object' } });
      call(_input: string, context?: ToolContext): Promise<string> {
        if (!context?.input) throw new ToolInputRequiredException({ message: 'Sure?', url: 'https://example.com/pay' });
        return Promise.resolve(`paid ${JSON.stringify(context.input)}`);
      }
    }
    const model = new ScriptedChatModel([{ toolCalls: [BOOK] }, 'Done.']);
    const client = ChatClient.builder(model).defaultTools([new Custom()]).build();
    const asked = await client.prompt('Book').call().chatResponse();
    expect(asked?.pendingApprovals[0]?.inputRequest).toEqual({ message: 'Sure?', url: 'https://example.com/pay' });
    const stream = client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .stream();
    await firstValueFrom(stream.chatResponse());
    expect(model.toolResponses).toEqual(['paid {"content":{}}']);
  });

  it('fails if its question cannot be shown', async () => {
    const { client, model } = scene({
      run: () => {
        throw new ToolInputRequiredException({ message: 'x'.repeat(4001) });
      },
    });
    expect((await client.prompt('Book').call().chatResponse())?.text).toBe('Done.');
    expect(model.toolResponses[0]).toMatch(/the message has more than 4000 characters/);
  });

  it('keeps its input if the process dies after it has continued, and runs with it again', async () => {
    const killed: { turn?: SuspendedTurn } = {};
    const first = scene({
      run: (context) => {
        if (context.input) killed.turn = first.turns.saved.at(-1)!;
        return askOnce(context);
      },
    });
    await first.client.prompt('Book').call().content();
    await first.decide({ input: { seat: '1A' } });
    expect(killed.turn).toMatchObject({ begun: ['call_1'], inputs: { call_1: { content: { seat: '1A' } } } });
    const later = scene({ script: ['Done.'] });
    const { claim: _claim, ...turn } = killed.turn!;
    await storeTurn(later.turns, turn);
    await expect(later.decide({})).rejects.toThrow('interrupted and may have run');
    await expect(later.decide({ replay: true, input: { seat: '2B' } })).rejects.toThrow('would run with the same');
    expect((await later.decide({ replay: true }))?.text).toBe('Done.');
    expect(later.runs).toEqual([{ content: { seat: '1A' }, state: { session: SECRET } }]);
  });
});
