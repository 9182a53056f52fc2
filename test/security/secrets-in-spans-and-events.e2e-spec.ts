import { describe, expect, test } from '@jest/globals';
import { ConsoleLogger, Injectable, Logger } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import {
  type AiEvent,
  AiEvents,
  ChatClient,
  type ContentPlace,
  ContentRedactor,
  Tool,
  ToolContext,
} from '@nestor-ai/core';
import { SimpleLoggerAdvisor } from '@nestor-ai/advisors';
import { AiEventEmitterModule, OnToolCall, OnToolError, OnToolResult, OnTurnEnd } from '@nestor-ai/event-emitter';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { bootstrapError } from '../nest/application.js';
import { keepPrinted } from '../telemetry/printed.js';
import { Recorder } from '../telemetry/recorder.js';
import { openPage, type Page, says } from './browser.js';

const recorder = Recorder.register();

/** With characters that JSON writes in another way: whoever looks for it in JSON does not find it. */
const SECRET = 'pass"word\\7';
const CARD = 4_111_111_111_111_111;

@Injectable()
class Accounts {
  @Tool()
  find(name: string, context: ToolContext): object {
    context.reportProgress({ searching: name, card: CARD });
    return { name, card: CARD };
  }

  @Tool()
  print(name: string): string {
    return `${name} has ${SECRET} and ${CARD}`;
  }

  @Tool({ returnDirect: true })
  statement(): string {
    return `Your card ${CARD}`;
  }

  @Tool()
  failing(name: string): never {
    throw new RangeError(`${name} of ${SECRET}, ${CARD}`);
  }
}

/** What an application has that listens with methods. */
@Injectable()
class Hooks {
  readonly heard: unknown[] = [];
  @OnToolCall()
  @OnToolResult()
  @OnToolError()
  @OnTurnEnd()
  hear(event: AiEvent): void {
    this.heard.push(event);
  }
}

@Injectable()
class Redactor extends ContentRedactor {
  readonly places: ContentPlace[] = [];
  override redact(text: string, place: ContentPlace): string {
    this.places.push(place);
    return text.replaceAll(SECRET, '[word]').replaceAll(String(CARD), '[card]');
  }
}

/** Everything that an application can show is shown. */
const SHOWN = {
  ui: { errors: 'message' },
  tools: { errorExposure: 'message', observations: { includeContent: true } },
  chat: { client: { observations: { logPrompt: true, logCompletion: true } } },
} as const;

const SCRIPT: ScriptEntry[] = [
  {
    text: `Let me look for ${SECRET}.`,
    reasoning: `They said ${SECRET}.`,
    toolCalls: [
      toolCall('find', { name: CARD.toString() }, 'a'),
      toolCall('print', { name: CARD.toString() }, 'b'),
      toolCall('failing', { name: CARD.toString() }, 'c'),
    ],
  },
  `It is ${SECRET}.`,
];

const printed = keepPrinted();

interface Scene {
  readonly page: Page;
  /** All that is shown to anybody but the model, by who it is shown to. */
  readonly shown: () => Promise<Record<'span' | 'log' | 'event' | 'hook', string>>;
}

async function start(redactor: object | undefined, script = SCRIPT, properties: object = SHOWN): Promise<Scene> {
  const page = await openPage(
    { imports: [EventEmitterModule.forRoot(), AiEventEmitterModule], providers: [Accounts, Hooks] },
    script,
    {
      properties,
      providers: redactor ? [{ provide: ContentRedactor, useValue: redactor }] : [],
    },
  );
  const events: AiEvent[] = [];
  page.app.get(AiEvents).subscribe((event) => events.push(event));
  Logger.overrideLogger(new ConsoleLogger({ logLevels: ['verbose', 'debug', 'log', 'warn', 'error'] }));
  const shown = async (): Promise<Record<'span' | 'log' | 'event' | 'hook', string>> => ({
    span: await recorder.everything(),
    log: printed.join(''),
    event: events.map(textOf).join('\n'),
    hook: page.app.get(Hooks).heard.map(textOf).join('\n'),
  });
  return { page, shown };
}

/** Errors have what they say where no JSON shows it. */
function textOf(event: unknown): string {
  const { error } = event as { error?: Error };
  return JSON.stringify(event) + (error ? `${error.name} ${error.message} ${error.stack}` : '');
}

/** As it stands in a text, and in JSON, and in JSON within JSON. */
const WRITTEN = [SECRET, JSON.stringify(SECRET), JSON.stringify(JSON.stringify(SECRET))].map((text) =>
  text.replace(/^(?:\\*")|(?:\\*")$/g, ''),
);
const tellsSecrets = (text: string): boolean =>
  text.includes(String(CARD)) || WRITTEN.some((written) => text.includes(written));

const ask = async ({ page }: Scene): Promise<unknown> =>
  page.app.get(ChatClient).prompt(`I am ${SECRET}`).system(`The key is ${SECRET}`).call().content();

describe('A redactor takes secrets out of', () => {
  test('spans, logs, events and hooks; the model and the caller get them', async () => {
    const redactor = new Redactor();
    const scene = await start(redactor);

    expect(await ask(scene)).toBe(`It is ${SECRET}.`);

    for (const [who, text] of Object.entries(await scene.shown())) {
      expect([who, text.includes('[card]'), tellsSecrets(text)]).toEqual([who, true, false]);
    }
    expect(scene.page.model.toolResponses.join()).toContain(SECRET);
    // JSON stays JSON.
    const [chat] = recorder.named('chat');
    const [message] = JSON.parse(chat!.attributes['gen_ai.input.messages'] as string) as { parts: object[] }[];
    expect(message!.parts).toEqual([{ type: 'text', content: 'I am [word]' }]);
    const kinds = (sink: string): Set<string> =>
      new Set(redactor.places.flatMap((place) => (place.sink === sink ? [place.kind] : [])));
    const all = new Set(['prompt', 'completion', 'arguments', 'result', 'error']);
    expect(kinds('span')).toEqual(all);
    expect(kinds('log')).toEqual(all);
    expect(kinds('event')).toEqual(new Set(['arguments', 'result', 'error']));
    const ofTools = redactor.places.filter(({ kind }) => kind === 'arguments' || kind === 'result');
    expect(ofTools.every(({ toolName }) => ['find', 'print', 'failing'].includes(toolName!))).toBe(true);
  });

  test('pages: arguments, results, progress and errors, as far as they are shown', async () => {
    const scene = await start(new Redactor(), [...SCRIPT, ...SCRIPT]);
    for (const path of ['chat', 'sse']) {
      const chunks = await scene.page.read([says('Go')], path);
      const ofTools = JSON.stringify(chunks.filter(({ type }) => !/text|reasoning/.test(String(type))));
      expect(ofTools).toContain('[card]');
      expect(ofTools).toContain('[word]');
      expect(tellsSecrets(ofTools)).toBe(false);
    }
  });

  test('pages: a result that is the answer', async () => {
    const script = [{ toolCalls: [toolCall('statement')] }];
    const scene = await start(new Redactor(), [...script, ...script]);
    for (const path of ['chat', 'sse']) {
      const chunks = JSON.stringify(await scene.page.read([says('Go')], path));
      expect(chunks).toContain('Your card [card]');
      expect(tellsSecrets(chunks)).toBe(false);
    }
  });

  test('what a turn has failed with', async () => {
    const properties = { ...SHOWN, tools: { ...SHOWN.tools, throwExceptionOnError: true } };
    const scene = await start(new Redactor(), SCRIPT, properties);
    await expect(ask(scene)).rejects.toThrow(SECRET);
    const { event, span } = await scene.shown();
    expect(event).toContain('ToolExecutionException');
    expect(event).toContain('[word]');
    expect(tellsSecrets(event)).toBe(false);
    expect(tellsSecrets(span)).toBe(false);
  });

  test('the log that has the errors which the model is not told', async () => {
    const properties = { tools: { errorExposure: 'safe' } };
    const scene = await start(new Redactor(), SCRIPT, properties);
    await ask(scene);
    const { log } = await scene.shown();
    expect(log).toMatch(/\(reference .*\): RangeError: \[card\] of \[word\], \[card\]/);
    expect(log).toMatch(/at (?:Accounts\.)?failing \(/);
    expect(tellsSecrets(log)).toBe(false);
  });

  test('a SimpleLoggerAdvisor, whatever it is told to write', async () => {
    const scene = await start(new Redactor(), SCRIPT, {});
    const lines: string[] = [];
    const logger = { debug: (line: string) => lines.push(line) };
    await scene.page.app
      .get(ChatClient)
      .prompt(`I am ${SECRET}`)
      .advisors(
        new SimpleLoggerAdvisor({ logger }),
        new SimpleLoggerAdvisor({
          logger,
          requestToString: ({ prompt }) => `${prompt.userMessage?.text}`,
          responseToString: (response) => `${response?.text}`,
        }),
      )
      .call()
      .content();
    expect(lines).toHaveLength(8);
    expect(lines.join()).toContain('I am [word]');
    expect(tellsSecrets(lines.join())).toBe(false);
  });
});

describe('A redactor that fails shows nothing', () => {
  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error(SECRET);
      },
    ],
    ['answers nothing', () => undefined],
    ['answers later', () => Promise.reject(new Error(SECRET))],
  ])('when it %s, and the log says so once', async (_how, redact) => {
    class Broken extends ContentRedactor {
      redact = redact as ContentRedactor['redact'];
    }
    const scene = await start(new Broken(), [...SCRIPT, ...SCRIPT]);

    expect(await ask(scene)).toBe(`It is ${SECRET}.`);
    const chunks = await scene.page.read([says('Go')]);

    const shown = await scene.shown();
    for (const [who, text] of Object.entries(shown)) {
      expect([who, text.includes('[not shown]'), tellsSecrets(text)]).toEqual([who, true, false]);
    }
    const ofTools = JSON.stringify(chunks.filter(({ type }) => !/text|reasoning/.test(String(type))));
    expect(ofTools).toContain('[not shown]');
    expect(tellsSecrets(ofTools)).toBe(false);
    expect(shown.log.split('Broken has failed')).toHaveLength(2);
  });

  test('where nobody would ask it, and the application does not start', async () => {
    const providers = [{ provide: ContentRedactor, useClass: Redactor }];
    expect((await bootstrapError({ providers })).message).toContain(
      'The ContentRedactor in RootTestModule has no effect there. Move it to AiModule.forRoot({ providers:',
    );
  });
});

test('Without a redactor, events have what was said', async () => {
  const scene = await start(undefined, SCRIPT, {});
  await ask(scene);
  const { span, log, event } = await scene.shown();
  expect(tellsSecrets(event)).toBe(true);
  expect(tellsSecrets(span + log)).toBe(false);
});
