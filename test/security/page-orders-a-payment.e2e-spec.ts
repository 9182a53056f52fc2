import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import {
  AssistantMessage,
  asUntrusted,
  ChatResponse,
  DefaultToolCallingManager,
  Prompt,
  Tool,
  ToolCallbacks,
  ToolResponseMessage,
  ToolResult,
  UserMessage,
} from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { startApplication } from '../nest/application.js';
import { Recorder } from '../telemetry/recorder.js';
import { startWithSearch } from '../tool-search/application.js';
import { askedAbout, Bank, BOTH_WAYS, fetching, OBEYS, ORDER, Web, whenUntrusted, wiring } from './bank.js';

const recorder = Recorder.register();
const providers = [Web, Bank];
const start = (script: readonly ScriptEntry[], options = {}) => startApplication({ providers }, script, options);

describe.each(BOTH_WAYS)('a web page that orders a payment, read in %s', (_way, answer) => {
  it('has the payment wait for a human, who is told that strangers wrote what was read', async () => {
    const { app, client, model } = await start(OBEYS);
    const response = await answer(client.prompt('What does the shop say?'));
    expect(askedAbout(response)).toEqual(['wire']);
    expect(response?.result?.output.metadata).toEqual({ untrusted: true });
    expect(app.get(Bank).wired).toEqual([]);

    const approval = { toolCallId: response!.result!.output.toolCalls[0]!.id, approved: true };
    const turnId = response!.metadata['turnId'] as string;
    expect((await answer(client.prompt().toolApprovals([approval], { turnId })))?.text).toBe('Done.');
    expect(app.get(Bank).wired).toEqual(['900 to Mallory']);
    expect(model.toolResponses).toEqual([ORDER, '900 wired to Mallory']);
  });

  it('has the payment refused, and the model told why', async () => {
    const { app, client, model } = await start(OBEYS, whenUntrusted('refuse'));
    expect((await answer(client.prompt('Go')))?.text).toBe('Done.');
    expect(app.get(Bank).wired).toEqual([]);
    expect(model.toolResponses[1]).toMatch(/^The call of 'wire' was not run: it cannot be undone, .* strangers/);
  });

  it('has the payment made where the application allows it', async () => {
    const { app, client } = await start(OBEYS, whenUntrusted('allow'));
    expect((await answer(client.prompt('Go')))?.text).toBe('Done.');
    expect(app.get(Bank).wired).toEqual(['900 to Mallory']);
  });
});

describe('whoever follows the events of the turn', () => {
  it('is told what the payment waits behind', async () => {
    const { client } = await start(OBEYS);
    const events = await lastValueFrom(client.prompt('Go').stream().events().pipe(toArray()));
    expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ response: { untrusted: true } });
    expect(events.at(-1)).toMatchObject({ type: 'finish', pendingApprovals: [{ name: 'wire' }], untrusted: true });
  });

  it('is told nothing of the kind where nothing was read', async () => {
    const { client } = await start([{ toolCalls: [toolCall('balance')] }, 'Done.']);
    const events = await lastValueFrom(client.prompt('Go').stream().events().pipe(toArray()));
    expect(JSON.stringify(events)).not.toContain('untrusted');
  });
});

describe('the refusal of a payment', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is told in the log and in spans', async () => {
    jest.spyOn(Logger, 'isLevelEnabled').mockReturnValue(true);
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { client } = await start(OBEYS, whenUntrusted('refuse'));
    await client.prompt('Go').call().content();
    expect(warned.mock.calls).toEqual([
      [expect.stringMatching(/^The tool 'wire' did not run/), expect.objectContaining({ outcome: 'refused' })],
    ]);
    expect(recorder.span('execute_tool wire').attributes).toMatchObject({
      'nestor.tool.call.outcome': 'refused',
      'error.type': 'UntrustedContentException',
    });
  });

  it('is told to the model also where errors of tools are not', async () => {
    const { properties } = whenUntrusted('refuse', { errorExposure: 'safe' });
    const { client, model } = await start(OBEYS, { properties });
    await client.prompt('Go').call().content();
    expect(model.toolResponses[1]).toMatch(/^The call of 'wire' was not run/);
  });

  it('comes before a human is asked', async () => {
    @Injectable()
    class Vault {
      @Tool({ effect: 'irreversible', needsApproval: true }) wire() {}
    }
    const scene = await startApplication({ providers: [Web, Vault] }, OBEYS, whenUntrusted('refuse'));
    expect(askedAbout(await scene.client.prompt('Go').call().chatResponse())).toEqual([]);
  });
});

describe('a call that cannot be undone', () => {
  it('runs as long as nothing was read that strangers wrote', async () => {
    const { app, client } = await start([{ toolCalls: [toolCall('balance')] }, { toolCalls: [wiring()] }, 'Done.']);
    expect(await client.prompt('Wire 900 to Mallory').call().content()).toBe('Done.');
    expect(app.get(Bank).wired).toEqual(['900 to Mallory']);
  });

  it('runs when it was asked for beside the page, before that was read; the next one waits', async () => {
    const script = [{ toolCalls: [fetching(), wiring()] }, { toolCalls: [fetching(), wiring()] }];
    const { app, client } = await start(script);
    const response = await client.prompt('Wire 900 to Mallory, and what does the shop say?').call().chatResponse();
    expect(app.get(Bank).wired).toEqual(['900 to Mallory']);
    expect(askedAbout(response)).toEqual(['wire']);
  });

  it.each([
    ['the error of a tool', [{ toolCalls: [fetching('missing')] }, { toolCalls: [wiring()] }]],
    ['a page some rounds before', [OBEYS[0]!, { toolCalls: [toolCall('balance')] }, OBEYS[1]!]],
  ])('waits when %s was read', async (_what, script) => {
    const { app, client } = await start(script);
    expect(askedAbout(await client.prompt('Go').call().chatResponse())).toEqual(['wire']);
    expect(app.get(Bank).wired).toEqual([]);
  });

  it('waits when a result was read that the tool itself says strangers wrote', async () => {
    @Injectable()
    class Mails {
      @Tool() read(from: string) {
        return new ToolResult({ text: ORDER, untrusted: from !== 'boss' });
      }
    }
    const readAndWire = (from: string) => [
      { toolCalls: [toolCall('read', { from })] },
      { toolCalls: [wiring()] },
      'Done.',
    ];
    const script = [...readAndWire('boss'), ...readAndWire('mallory')];
    const { app, client } = await startApplication({ providers: [Mails, Bank] }, script);
    expect(await client.prompt('Go').call().content()).toBe('Done.');
    expect(app.get(Bank).wired).toHaveLength(1);
    expect(askedAbout(await client.prompt('Go').call().chatResponse())).toEqual(['wire']);
  });

  it('waits when the application has marked what the user shows', async () => {
    const { client } = await start([{ toolCalls: [wiring()] }]);
    const mail = asUntrusted(new UserMessage(`Summarise this mail: ${ORDER}`));
    expect(askedAbout(await client.prompt().messages(mail).call().chatResponse())).toEqual(['wire']);
  });

  it('waits behind the pages of a result that was too long', async () => {
    const { app, client, model } = await start(
      [
        { toolCalls: [fetching()] },
        ({ messages }) => ({ toolCalls: [toolCall('read_tool_result', readOn(messages.at(-1)!))] }),
        { toolCalls: [wiring()] },
      ],
      { properties: { tools: { maxResultLength: 250, results: { paging: { enabled: true } } } } },
    );
    app.get(Web).page = 'Nothing here. '.repeat(30) + ORDER;
    expect(askedAbout(await client.prompt('Go').call().chatResponse())).toEqual(['wire']);
    const [first, second] = model.lastPrompt!.messages.flatMap((message) =>
      message.role === 'tool' ? message.responses : [],
    );
    expect(first).toMatchObject({ name: 'fetchPage', untrusted: true });
    expect(second).toMatchObject({ name: 'read_tool_result', untrusted: true });
  });

  it('waits when both tools were found by the tool search', async () => {
    const search = (query: string) => ({ toolCalls: [toolCall('toolSearchTool', { query })] });
    const script = [search('fetch page'), search('wire'), ...OBEYS];
    const { app, client } = await startWithSearch({ providers }, script);
    expect(askedAbout(await client.prompt('Go').call().chatResponse())).toEqual(['wire']);
    expect(app.get(Bank).wired).toEqual([]);
  });

  it('waits for a caller who runs the loop', async () => {
    const toolCallbacks = ToolCallbacks.from(new Web(), new Bank());
    const manager = new DefaultToolCallingManager();
    const asking = (call: ReturnType<typeof toolCall>) =>
      new ChatResponse({ results: [{ output: new AssistantMessage({ toolCalls: [call] }) }] });
    const read = await manager.executeToolCalls(new Prompt('Go', { toolCallbacks }), asking(fetching()));
    const wired = await manager.executeToolCalls(
      new Prompt(read.conversationHistory, { toolCallbacks }),
      asking(wiring()),
    );
    expect(wired.pendingApprovals?.map(({ name }) => name)).toEqual(['wire']);
  });
});

describe('other calls', () => {
  it.each<[string, object]>([
    ['balance', {}],
    ['note', { text: 'x' }],
    ['fetchPage', { url: 'b' }],
  ])('run after a page was read: %s', async (name, input) => {
    const { client, model } = await start([OBEYS[0]!, { toolCalls: [toolCall(name, input)] }, 'Done.']);
    expect(await client.prompt('Go').call().content()).toBe('Done.');
    expect(model.toolResponses).toHaveLength(2);
  });
});

describe('the configuration', () => {
  const overriding = (overrides: object) => ({ properties: { tools: { overrides } } });
  const note = { toolCalls: [toolCall('note', { text: 'x' })] };

  it.each([
    ['takes a label away', { fetchPage: { untrusted: false } }, OBEYS, []],
    ['says that a call can be undone', { wire: { effect: 'write' } }, OBEYS, []],
    ['gives a label', { balance: { untrusted: true } }, [{ toolCalls: [toolCall('balance')] }, OBEYS[1]!], ['wire']],
    ['says that a call cannot be undone', { note: { effect: 'irreversible' } }, [OBEYS[0]!, note], ['note']],
  ] as const)('%s', async (_what, overrides, script, asked) => {
    const { client } = await start(script, overriding(overrides));
    expect(askedAbout(await client.prompt('Go').call().chatResponse())).toEqual(asked);
  });
});

function readOn(message: Prompt['messages'][number]): string {
  const { responseData } = (message as ToolResponseMessage).responses[0]!;
  return /with (\{.*\})/.exec(responseData)![1]!;
}
