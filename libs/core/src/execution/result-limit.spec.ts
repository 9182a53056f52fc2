import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { ChatClient } from '../client/chat-client.js';
import type { Prompt } from '../model/prompt.js';
import { ToolResult } from '../model/tool-result.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ToolFilter } from '../tool/tool-visibility.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';

const LONG = Array.from({ length: 25 }, (_, at) => String.fromCodePoint(97 + at)).join('');

const tool = (name: string, toolFunction: () => unknown, returnDirect = false, needsApproval = false) =>
  new FunctionToolCallback({ name, toolFunction, toolMetadata: { returnDirect, needsApproval } });

const log = tool('log', () => LONG);
const broken = tool('broken', () => {
  throw new Error(LONG);
});
const report = tool('report', () => ({ lines: LONG }), true);

function scene(script: ScriptEntry[], options: ToolCallingManagerOptions, ...tools: FunctionToolCallback[]) {
  const model = new ScriptedChatModel(script);
  const advisor = new ToolCallingAdvisor({ toolCallingManager: new DefaultToolCallingManager(options) });
  const client = ChatClient.builder(model)
    .defaultTools(...tools)
    .defaultAdvisors(advisor)
    .build();
  return { model, client, ask: () => client.prompt('Go').call().chatResponse() };
}

const CUT = /^abcdefghij\n\[Cut here: these are the first 10 of 25 characters\.\]$/;

let warnings: string[];
beforeEach(() => {
  warnings = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
});
afterEach(() => {
  jest.restoreAllMocks();
});
const cuts = (): string[] => warnings.filter((text) => text.includes(' was cut'));

describe('a result for the model', () => {
  it.each([log, broken])('is cut if it is too long, and so are errors', async (one) => {
    const { model, ask } = scene(
      [{ toolCalls: [toolCall(one.toolDefinition.name)] }, 'ok'],
      { maxResultLength: 10 },
      one,
    );
    await ask();
    expect(model.toolResponses[0]).toMatch(CUT);
    expect(cuts()).toEqual([
      expect.stringMatching(
        `^The result of the tool '${one.toolDefinition.name}' was cut: it has 25 characters, .* at most 10\\. .*max-result-length`,
      ),
    ]);
  });

  it('is not cut inside a character', async () => {
    const smile = tool('smile', () => '123456789😀x');
    const { model, ask } = scene([{ toolCalls: [toolCall('smile')] }, 'ok'], { maxResultLength: 10 }, smile);
    await ask();
    expect(model.toolResponses).toEqual(['123456789\n[Cut here: these are the first 9 of 12 characters.]']);
  });

  it('has at most 100,000 characters by default, and its value is never cut', async () => {
    const text = 'x'.repeat(2_000_000);
    const rich = tool('rich', () => new ToolResult({ text, value: text }));
    const failing = tool('failing', () => Promise.reject(new Error(text)));
    const calls = [toolCall('rich'), toolCall('failing')];
    const { model, client } = scene([{ toolCalls: calls }, 'ok'], {}, rich, failing);
    const lengths: number[] = [];
    for await (const event of client.prompt('Go').stream().events()) {
      if (event.type === 'tool-result') lengths.push((event.response.value as string).length);
    }
    expect(lengths).toEqual([2_000_000]);
    for (const told of model.toolResponses) {
      expect(told.slice(99_990)).toBe(
        'x'.repeat(10) + '\n[Cut here: these are the first 100000 of 2000000 characters.]',
      );
    }
  });

  it('is not cut if it is returned directly', async () => {
    const { ask } = scene([{ toolCalls: [toolCall('report')] }], { maxResultLength: 10 }, report);
    const response = await ask();
    expect(response!.text).toBe(JSON.stringify({ lines: LONG }));
    expect(response!.result!.metadata).toMatchObject({ value: { lines: LONG } });
    expect(cuts()).toEqual([]);
  });

  it('is cut if it is returned directly but another call of the message is not', async () => {
    const calls = [toolCall('report'), toolCall('log')];
    const { model, ask } = scene([{ toolCalls: calls }, 'ok'], { maxResultLength: 10 }, report, log);
    await ask();
    expect(model.toolResponses).toEqual([expect.stringMatching(/^{"lines":"\n\[Cut/), expect.stringMatching(CUT)]);
  });

  it.each([0, 1.5, Number.NaN])('refuses a limit of %d characters', (maxResultLength) => {
    expect(() => new DefaultToolCallingManager({ maxResultLength })).toThrow(/maxResultLength must be a whole number/);
  });
});

describe('a model that reads the rest of a result', () => {
  const paging = { maxResultLength: 10, resultPaging: true };
  /** Calls the tool with the arguments at the end of the last result. */
  const readOn = (prompt: Prompt): ScriptEntry => {
    const last = prompt.messages.at(-1)!;
    const told = last.role === 'tool' ? last.responses.at(-1)!.responseData : '';
    const [, next] = /To read on, call read_tool_result with (.*)\]$/.exec(told) ?? [];
    return next === undefined ? 'all read' : { toolCalls: [toolCall('read_tool_result', next)] };
  };
  const asks = (name: string): ScriptEntry => ({ toolCalls: [toolCall(name)] });
  const reading: ScriptEntry = (prompt) => readOn(prompt) as string;

  it.each(['log', 'broken'])('gets the whole result page by page, also of errors: %s', async (name) => {
    const { model, ask } = scene([asks(name), reading, reading, reading], paging, log, broken);
    expect((await ask())!.text).toBe('all read');
    expect(cuts()).toEqual([]);
    const pages = model.toolResponses.map((page) => page.split('\n')[0]);
    expect(pages).toEqual(['abcdefghij', 'klmnopqrst', 'uvwxy']);
    expect(model.toolResponses[1]).toMatch(
      /these are the characters from 10 to 20 of 25\. To read on, call read_tool_result with {"id":"\w+","offset":20}\]$/,
    );
  });

  it('has the tool only next to others, even if only some are offered, and whatever a filter decides', async () => {
    class Nothing extends ToolFilter {
      isVisible(callback: { toolDefinition: { name: string } }) {
        return callback.toolDefinition.name === 'log';
      }
    }
    const offered = (prompt: Prompt | undefined) =>
      new DefaultToolCallingManager().resolveToolDefinitions(prompt!.options!);
    const some = scene([asks('log'), 'ok'], { ...paging, toolFilter: new Nothing() }, log, broken);
    await some.client
      .prompt('Go')
      .options({ offeredToolNames: ['log'] })
      .call()
      .content();
    expect(offered(some.model.prompts[0]).map(({ name }) => name)).toEqual(['log', 'read_tool_result']);
    const none = scene(['ok'], paging);
    await none.ask();
    expect(offered(none.model.prompts[0])).toEqual([]);
    const off = scene(['ok'], { maxResultLength: 10 }, log);
    await off.ask();
    expect(offered(off.model.prompts[0]).map(({ name }) => name)).toEqual(['log']);
  });

  it('has the same call limits as with any tool', async () => {
    const limits = { maxCallsPerTool: 1, onLimitExceeded: 'RETURN_ERROR_RESPONSE' as const };
    const { model, ask } = scene([asks('log'), reading, reading, 'ok'], { ...paging, limits }, log);
    await ask();
    expect(model.toolResponses[2]).toMatch(/^Tool call/);
  });

  it('is told when a result is gone and when it has no more text', async () => {
    const unknown = toolCall('read_tool_result', { id: 'no-such', offset: 3 });
    let id = '';
    const beyond: ScriptEntry = ({ messages }) => {
      const last = messages.at(-1)!;
      [, id = ''] = /"id":"(\w+)"/.exec(last.role === 'tool' ? last.responses[0]!.responseData : '') ?? [];
      return { toolCalls: [toolCall('read_tool_result', { id, offset: 25 }), unknown] };
    };
    const { model, ask } = scene([asks('log'), beyond, 'ok'], paging, log);
    await ask();
    expect(model.toolResponses.slice(1)).toEqual([
      `The result '${id}' has 25 characters, so offset must be less.`,
      expect.stringMatching(/^The result 'no-such' is not kept any more: .* Call the tool again that gave it/),
    ]);
  });

  it('is told that the result is gone after the turn waited for an approval', async () => {
    const pay = tool('pay', () => 'paid', false, true);
    const script: ScriptEntry[] = [asks('log'), { toolCalls: [toolCall('pay', {}, 'call_1')] }];
    const { model, client, ask } = scene(
      [...script, (prompt) => readOn(firstPage(prompt)) as string, 'ok'],
      paging,
      log,
      pay,
    );
    const firstPage = (prompt: Prompt): Prompt => prompt.with({ messages: prompt.messages.slice(0, 3) });
    await ask();
    await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call_1', approved: true }])
      .call()
      .content();
    expect(model.toolResponses.at(-1)).toMatch(
      /is not kept any more: it is gone when the turn has waited for an approval/,
    );
  });

  it('refuses another tool with the same name', async () => {
    const { ask } = scene(
      ['ok'],
      paging,
      tool('read_tool_result', () => 'mine'),
    );
    await expect(ask()).rejects.toThrow(/Rename your tool 'read_tool_result', or set ai\.tools\.results/s);
  });
});
