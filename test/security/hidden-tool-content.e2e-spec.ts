import { describe, expect, test } from '@jest/globals';
import { Controller, Get, Injectable, type ModuleMetadata, Param, type Provider } from '@nestjs/common';
import {
  AiEvents,
  AugmentedToolCallback,
  ChatClient,
  FunctionToolCallback,
  MethodToolCallback,
  Tool,
  type ToolCallback,
  ToolCallbacks,
  type ToolCallDisplay,
  ToolContext,
  toolProvider,
  toSse,
  type ToolUi,
} from '@nestor-ai/core';
import { toUIMessageStreamResponse } from '@nestor-ai/ui';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { lastValueFrom, map, toArray } from 'rxjs';
import { bootstrapError } from '../nest/application.js';
import { aboutTools, ChatController, openPage, says } from './browser.js';

const INPUT = 'SECRET-INPUT';
const RESULT = 'SECRET-RESULT';
const HIDDEN = { hidden: true };

@Injectable()
class Patients {
  @Tool()
  silent(name: string, context: ToolContext): object {
    context.reportProgress({ searched: RESULT });
    return { length: name.length, diagnosis: RESULT };
  }
  @Tool({ ui: 'all' })
  all(name: string, context: ToolContext): object {
    return this.silent(name, context);
  }
  @Tool({ ui: 'input' })
  input(name: string, context: ToolContext): object {
    return this.silent(name, context);
  }
  @Tool({ ui: 'result' })
  result(name: string, context: ToolContext): object {
    return this.silent(name, context);
  }
  @Tool({ ui: 'none' })
  none(name: string, context: ToolContext): object {
    return this.silent(name, context);
  }
  @Tool({ ui: 'none', needsApproval: true })
  prescribe(name: string): string {
    return `${RESULT} for ${name.length}`;
  }
}

const callOf = (name: string): ScriptEntry[] => [
  { toolCalls: [toolCall(name, { name: INPUT }, 'call-1')] },
  'The model answers.',
];

/** Which of arguments and results a page learns, from the stream of useChat() and from server-sent events. */
async function learned(
  toolName: string,
  properties: object = {},
  metadata: ModuleMetadata = { providers: [Patients] },
): Promise<ToolUi> {
  const page = await openPage(metadata, [...callOf(toolName), ...callOf(toolName)], { properties });
  const [chunks, events] = [await page.read([says('Go')]), await page.read([says('Go')], 'sse')].map(toUi);
  expect(events).toBe(chunks);
  // Whatever a page is shown, the model reads all of it.
  expect(JSON.stringify(page.model.lastPrompt!.messages)).toMatch(/SECRET-INPUT.*SECRET-RESULT/);
  return chunks!;
}

function toUi(shown: unknown): ToolUi {
  const text = JSON.stringify(shown);
  const [hasInput, hasResult] = [text.includes(INPUT), text.includes(RESULT)];
  return hasInput ? (hasResult ? 'all' : 'input') : hasResult ? 'result' : 'none';
}

describe('A page is shown', () => {
  test.each<[string, ToolUi, object]>([
    ['silent', 'all', {}],
    ['all', 'all', {}],
    ['input', 'input', {}],
    ['result', 'result', {}],
    ['none', 'none', {}],
    ['silent', 'none', { ui: { content: 'none' } }],
    ['silent', 'result', { ui: { content: 'result' } }],
    ['input', 'input', { ui: { content: 'none' } }],
  ])('of the tool %s: %s, with %j', async (toolName, shown, properties) => {
    expect(await learned(toolName, properties)).toBe(shown);
  });

  test.each<[string, Provider]>([
    [
      'toolProvider()',
      toolProvider('made', {
        ui: 'none',
        inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
        useFactory: () => () => RESULT,
      }),
    ],
    [
      'a FunctionToolCallback',
      {
        provide: 'made',
        useValue: new FunctionToolCallback({
          name: 'made',
          inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
          toolFunction: () => RESULT,
          toolMetadata: { returnDirect: false, ui: 'none' },
        }),
      },
    ],
  ])('nothing of a tool that hides it and comes of %s', async (_what, provider) => {
    expect(await learned('made', {}, { providers: [provider] })).toBe('none');
  });

  test.each<[string, (patients: Patients) => ToolCallback]>([
    [
      'a MethodToolCallback that shows more',
      (patients) =>
        new MethodToolCallback({
          toolDefinition: toolOf(patients, 'none').toolDefinition,
          toolMetadata: { returnDirect: false, ui: 'all' },
          toolMethod: 'none',
          toolObject: patients,
        }),
    ],
    [
      'an AugmentedToolCallback',
      (patients) => new AugmentedToolCallback({ delegate: toolOf(patients, 'none'), argumentType: Reason }),
    ],
    ['one whose metadata is replaced', (patients) => withUi(toolOf(patients, 'none'), 'all')],
    ['one with a word that nobody knows', (patients) => withUi(toolOf(patients, 'silent'), 'hidden')],
  ])('nothing of a tool that hides it and is made anew: %s', async (_what, make) => {
    const tool = make(new Patients());
    const { name, inputSchema } = tool.toolDefinition;
    const input = { name: INPUT, ...('reason' in (inputSchema.properties as object) && { reason: 'why' }) };
    const model = new ScriptedChatModel([{ toolCalls: [toolCall(name, input, 'a')] }, 'Done.']);
    const client = ChatClient.builder(model).defaultTools(tool).build();
    const events = await lastValueFrom(toSse(client.prompt('Go').stream().events()).pipe(toArray()));
    expect(JSON.stringify(model.lastPrompt!.messages)).toMatch(/SECRET-INPUT.*SECRET-RESULT/);
    expect(toUi(events)).toBe('none');
  });

  test('nothing of a tool that a model names and the request does not have', async () => {
    const properties = { tools: { resolution: { fallback: { enabled: true } } } };
    const page = await openPage({ providers: [Patients], controllers: [Narrow] }, callOf('none'), { properties });
    const body = await (await fetch(`${await page.app.getUrl()}/narrow`)).text();
    expect(JSON.stringify(page.model.lastPrompt!.messages)).toContain(RESULT);
    expect(toUi(body)).toBe('none');
  });
});

class Reason {
  @IsString() reason!: string;
}

function toolOf(patients: Patients, name: string): ToolCallback {
  return ToolCallbacks.from(patients).find(({ toolDefinition }) => toolDefinition.name === name)!;
}

function withUi(tool: ToolCallback, ui: string): ToolCallback {
  return Object.assign(tool, { toolMetadata: { returnDirect: false, ui } });
}

/** A client that has one tool, while the application has more. */
@Controller()
class Narrow {
  constructor(private readonly chatClient: ChatClient) {}
  @Get('narrow')
  narrow(): Response {
    return toUIMessageStreamResponse(this.chatClient.prompt('Go').tools('silent').stream().events());
  }
}

describe('What is hidden', () => {
  test('gives way to a mark, and the states of useChat() stay valid', async () => {
    const page = await openPage({ providers: [Patients] }, callOf('none'));
    expect(aboutTools(await page.read([says('Go')]))).toEqual([
      { type: 'tool-input-available', toolCallId: 'call-1', toolName: 'none', input: HIDDEN },
      { type: 'tool-output-available', toolCallId: 'call-1', output: HIDDEN, preliminary: true },
      { type: 'tool-output-available', toolCallId: 'call-1', output: HIDDEN },
    ]);
  });

  test('stays hidden where a call waits for approval, and while it waits on', async () => {
    const both = [toolCall('prescribe', { name: INPUT }, 'a'), toolCall('prescribe', { name: INPUT }, 'b')];
    const page = await openPage({ providers: [Patients], controllers: [ChatController, Decisions] }, [
      { toolCalls: both },
    ]);
    const asked = await page.read([says('Go')], 'sse');
    const { turnId, pendingApprovals } = asked.at(-1) as { turnId: string; pendingApprovals: object[] };
    expect(pendingApprovals).toEqual(['a', 'b'].map((id) => ({ id, name: 'prescribe', arguments: '{"hidden":true}' })));

    const url = `${await page.app.getUrl()}/decisions/`;
    const decided = await (await fetch(url + turnId)).text();

    expect(decided).toContain('pendingApprovals');
    expect(toUi([asked, decided])).toBe('none');
  });

  test('stays hidden where the model reads on in a result that was cut', async () => {
    @Injectable()
    class Archive {
      @Tool({ ui: 'none' })
      find(): string {
        return '-'.repeat(2000) + RESULT;
      }
    }
    const properties = { tools: { maxResultLength: 2000, results: { paging: { enabled: true } } } };
    const page = await openPage(
      { providers: [Archive] },
      [
        { toolCalls: [toolCall('find', {}, 'a')] },
        ({ messages }) => {
          const [, page] = /read_tool_result with (\{.*?\})/.exec(JSON.stringify(messages).replaceAll('\\"', '"'))!;
          return { toolCalls: [toolCall('read_tool_result', JSON.parse(page!) as object, 'b')] };
        },
        'Done.',
      ],
      { properties },
    );
    const chunks = await page.read([says('Go')]);
    expect(JSON.stringify(page.model.lastPrompt!.messages)).toContain(RESULT);
    expect(aboutTools(chunks)).toHaveLength(4);
    expect(toUi(chunks)).toBe('none');
  });

  test('is known to the listeners of the server, who are told that it is to be hidden', async () => {
    const page = await openPage({ providers: [Patients] }, callOf('none'));
    const told: unknown[] = [];
    page.app.get(AiEvents).subscribe((event) => told.push(event));
    await page.read([says('Go')]);
    expect(toUi(told)).toBe('all');
    expect(told.filter((event) => (event as { ui?: string }).ui === 'none')).toHaveLength(3);
  });

  test('survives what an application makes of the events in between', async () => {
    const page = await openPage({ providers: [Patients] }, callOf('silent'), {
      properties: { ui: { content: 'none' } },
    });
    const events = page.app.get(ChatClient).prompt('Go').stream().events();
    const stamped = events.pipe(map((event) => ({ ...event, at: 'noon' })));
    expect(toUi(await lastValueFrom(toSse(stamped).pipe(toArray())))).toBe('none');
  });

  test('is what the option of a stream says, whatever tools and properties say', async () => {
    const shown = async (toolName: string, content: ToolUi, properties = {}): Promise<ToolUi> => {
      const page = await openPage({ providers: [Patients] }, callOf(toolName), { properties });
      const display: ToolCallDisplay = { content };
      const events = page.app.get(ChatClient).prompt('Go').stream().events();
      return toUi(await toUIMessageStreamResponse(events, display).text());
    };
    expect(await shown('none', 'all')).toBe('all');
    expect(await shown('all', 'none')).toBe('none');
    expect(await shown('silent', 'input', { ui: { content: 'none' } })).toBe('input');
  });
});

/** Approves the first of two calls, so that the other waits on. */
@Controller('decisions')
class Decisions {
  constructor(private readonly chatClient: ChatClient) {}
  @Get(':turnId')
  decide(@Param('turnId') turnId: string): Promise<unknown[]> {
    const request = this.chatClient.prompt().toolApprovals([{ toolCallId: 'a', approved: true }], { turnId });
    return lastValueFrom(toSse(request.stream().events()).pipe(toArray()));
  }
}

test('A word that is none stops the bootstrap', async () => {
  @Injectable()
  class Wrong {
    @Tool({ ui: 'hidden' as never })
    find(): string {
      return 'found';
    }
  }
  expect((await bootstrapError({ providers: [Wrong] })).message).toContain(
    "ui must be one of 'none', 'input', 'result', 'all'",
  );
});
