import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConsoleLogger, Injectable, Logger, UnauthorizedException } from '@nestjs/common';
import {
  AiModule,
  FallbackModelAdvisor,
  ChatModelException,
  type ContentPlace,
  ContentRedactor,
  ObservationConvention,
  type ObservedToolCall,
  type SpanDescription,
  Tool,
  UserMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { lastValueFrom } from 'rxjs';
import { AskAgain } from '../ask-again.js';
import { startApplication } from '../nest/application.js';
import { keepPrinted } from './printed.js';
import { Recorder } from './recorder.js';

const recorder = Recorder.register();

/** Each stands for something that nobody but model, tool and user should see. */
const SECRETS = {
  system: 'SECRET-SYSTEM',
  prompt: 'SECRET-PROMPT',
  answer: 'SECRET-ANSWER',
  argument: 'SECRET-ARGUMENT',
  result: 'SECRET-RESULT',
  context: 'SECRET-CONTEXT',
  apiKey: 'sk-SECRET-KEY',
  header: 'SECRET-HEADER',
  file: 'SECRET-FILE',
  error: 'SECRET-ERROR',
};

@Injectable()
class Patients {
  @Tool()
  find(name: string): object {
    return { name, diagnosis: SECRETS.result };
  }

  @Tool()
  failing(name: string): never {
    throw new Error(`${SECRETS.error}: no patient ${name}`);
  }

  @Tool()
  refusing(name: string): never {
    throw new UnauthorizedException(`${SECRETS.error} for ${name}`);
  }
}

const providers = [Patients];
const SCRIPT: ScriptEntry[] = [
  {
    text: SECRETS.answer,
    reasoning: SECRETS.answer,
    toolCalls: [
      toolCall('find', { name: SECRETS.argument }),
      toolCall('failing', { name: SECRETS.argument }),
      toolCall('refusing', { name: SECRETS.argument }),
      toolCall('find', { nam: SECRETS.argument }),
      toolCall('find', `{"name": "${SECRETS.argument}`),
      toolCall(`${SECRETS.argument} please`),
    ],
  },
  { text: SECRETS.answer },
];

const printed = keepPrinted();
beforeEach(() => {
  Logger.overrideLogger(new ConsoleLogger({ logLevels: ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'] }));
});

async function everything(): Promise<string> {
  return (await recorder.everything()) + printed.join('');
}

type AiOptions = NonNullable<Parameters<typeof AiModule.forRoot>[0]>;

async function ask(options: AiOptions, script: readonly ScriptEntry[] = SCRIPT): Promise<void> {
  // What is told at bootstrap, where the logger of the test kit is silent.
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => void printed.push(String(text)));
  const { client } = await startApplication({ providers }, [...script, ...script], options);
  warn.mockRestore();
  Logger.overrideLogger(new ConsoleLogger({ logLevels: ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'] }));
  const request = () =>
    client
      .prompt()
      .system(SECRETS.system)
      .messages(new UserMessage({ text: SECRETS.prompt, media: [{ mimeType: 'image/png', data: SECRETS.file }] }))
      .options({ providerOptions: { openai: { apiKey: SECRETS.apiKey } } })
      .toolContext({ patient: SECRETS.context })
      .request({ headers: { authorization: SECRETS.header } });
  await request().call().content();
  await lastValueFrom(request().stream().events());
}

describe('by default', () => {
  test('no span, no measurement and no log line has anything that was said', async () => {
    await ask({});

    const all = await everything();
    // It is really there that it would be.
    expect(recorder.named('execute_tool find').length).toBe(6);
    expect(printed.join('')).toContain('failing');
    expect(Object.entries(SECRETS).filter(([, secret]) => all.includes(secret))).toEqual([]);
    expect(all).not.toContain('SECRET');
  });

  test('neither when the model, a guard or another model fails', async () => {
    const error = new ChatModelException(`Incorrect API key ${SECRETS.apiKey} for ${SECRETS.prompt}`, {
      httpStatus: 401,
      responseBody: SECRETS.prompt,
      isRetryable: true,
    });
    const { client } = await startApplication({ providers }, [{ error }, { error }, { error }]);
    Logger.overrideLogger(new ConsoleLogger());
    const other = new ScriptedChatModel([{ error }, { error }]);

    const request = client
      .prompt(SECRETS.prompt)
      .advisors(new AskAgain(), new FallbackModelAdvisor({ models: [other] }));
    await expect(request.call().content()).rejects.toThrow('Incorrect API key');

    expect(recorder.named('chat').map(({ attributes }) => attributes['error.type'])).toEqual(['401', '401', '401']);
    expect(printed.join('')).toContain('401');
    expect(await everything()).not.toContain('SECRET');
  });
});

describe('where the configuration allows it', () => {
  test('spans of tool calls show arguments, results and errors', async () => {
    await ask({ properties: { tools: { observations: { includeContent: true } } } });

    const [found] = recorder.named('execute_tool find');
    expect(found!.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': `{"name":"${SECRETS.argument}"}`,
      'gen_ai.tool.call.result': `{"name":"${SECRETS.argument}","diagnosis":"${SECRETS.result}"}`,
    });
    const [failing] = recorder.named('execute_tool failing');
    expect(failing!.status.message).toBe(`${SECRETS.error}: no patient ${SECRETS.argument}`);
    expect(failing!.events).toMatchObject([
      { name: 'exception', attributes: { 'exception.message': expect.stringContaining(SECRETS.error) } },
    ]);
    expect(printed.join('')).toContain('ai.tools.observations.include-content is true');
    const all = await everything();
    for (const secret of [SECRETS.system, SECRETS.prompt, SECRETS.answer, SECRETS.context, SECRETS.apiKey]) {
      expect(all).not.toContain(secret);
    }
  });

  test('spans of model calls and the log show what the model is sent', async () => {
    await ask({ properties: { chat: { client: { observations: { logPrompt: true } } } } });

    const [first, second] = recorder.named('chat');
    const { attributes } = first!;
    expect(JSON.parse(attributes['gen_ai.system_instructions'] as string)).toEqual([
      { type: 'text', content: SECRETS.system },
    ]);
    expect(JSON.parse(attributes['gen_ai.input.messages'] as string)).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', content: SECRETS.prompt },
          { type: 'media', mime_type: 'image/png' },
        ],
      },
    ]);
    const later = JSON.parse(second!.attributes['gen_ai.input.messages'] as string) as {
      role: string;
      parts: object[];
    }[];
    expect(later.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(later[1]!.parts).toContainEqual({
      type: 'tool_call',
      id: expect.any(String),
      name: 'find',
      arguments: `{"name":"${SECRETS.argument}"}`,
    });
    expect(later[2]!.parts[0]).toMatchObject({ type: 'tool_call_response', response: expect.stringContaining('name') });
    expect(attributes['gen_ai.output.messages']).toBeUndefined();
    expect(printed.join('')).toContain(SECRETS.prompt);
    expect(printed.join('')).toContain("Spans and logs contain prompts of the client 'default'.");
    expect(await everything()).not.toContain(SECRETS.context);
  });

  test('spans of model calls and the log show what the model answers, streamed or not', async () => {
    await ask({ properties: { chat: { client: { observations: { logCompletion: true } } } } });

    const answers = recorder
      .named('chat')
      .map(({ attributes }) => JSON.parse(attributes['gen_ai.output.messages'] as string) as unknown);
    expect(answers).toHaveLength(4);
    for (const at of [1, 3]) {
      expect(answers[at]).toEqual([
        { role: 'assistant', parts: [{ type: 'text', content: SECRETS.answer }], finish_reason: 'stop' },
      ]);
    }
    expect(printed.join('')).toContain(SECRETS.answer);
  });
});

describe('a convention and a redactor of the application', () => {
  @Injectable()
  class OurConvention extends ObservationConvention {
    override toolSpan(call: ObservedToolCall): SpanDescription {
      const { name, attributes } = super.toolSpan(call);
      return { name, attributes: { ...attributes, 'our.team': 'ward 7' } };
    }
  }
  class OurRedactor extends ContentRedactor {
    override redact(content: string, { kind }: ContentPlace): string {
      return content.replaceAll(/SECRET-\w+/g, `[${kind}]`);
    }
  }
  const everythingShown = {
    tools: { observations: { includeContent: true } },
    chat: { client: { observations: { logPrompt: true, logCompletion: true } } },
  };

  test('add to spans, and take out of every content what must not be seen', async () => {
    await ask({
      properties: everythingShown,
      providers: [
        { provide: ObservationConvention, useClass: OurConvention },
        { provide: ContentRedactor, useClass: OurRedactor },
      ],
    });

    const [found] = recorder.named('execute_tool find');
    expect(found!.attributes).toMatchObject({
      'our.team': 'ward 7',
      'gen_ai.tool.call.arguments': '{"name":"[arguments]"}',
      'gen_ai.tool.call.result': '{"name":"[result]","diagnosis":"[result]"}',
    });
    const [chat] = recorder.named('chat');
    expect(chat!.attributes['gen_ai.input.messages']).toContain('"content":"[prompt]"');
    expect(chat!.attributes['gen_ai.output.messages']).toContain('"content":"[completion]"');
    expect(printed.join('')).toContain('[prompt]');
    expect(await everything()).not.toContain('SECRET');
  });

  test('that break let the turn go on and show nothing', async () => {
    class Broken extends ObservationConvention {
      override toolSpan(): never {
        throw new Error('no idea');
      }
      override modelResponse(): never {
        throw new Error('no idea');
      }
    }
    class BrokenRedactor extends ContentRedactor {
      override redact(): never {
        throw new Error('no idea');
      }
    }
    await ask({
      properties: everythingShown,
      providers: [
        { provide: ObservationConvention, useClass: Broken },
        { provide: ContentRedactor, useClass: BrokenRedactor },
      ],
    });

    expect(recorder.tree()).toContain('unnamed');
    expect(printed.join('')).toContain('Broken has failed');
    expect(await everything()).not.toContain('SECRET');
  });
});

test('contents are cut, and of a long conversation the end is shown', async () => {
  const { client } = await startApplication(
    { providers },
    [{ toolCalls: [toolCall('find', { name: 'x'.repeat(20_000) })] }, 'done'],
    {
      properties: {
        tools: { observations: { includeContent: true } },
        chat: { client: { observations: { logPrompt: true } } },
      },
    },
  );

  await client.prompt('the beginning '.repeat(2000)).call().content();

  const [tool] = recorder.named('execute_tool find');
  expect(tool!.attributes['gen_ai.tool.call.arguments']).toBe(`{"name":"${'x'.repeat(16_375)}…`);
  const [, second] = recorder.named('chat');
  const shown = JSON.parse(second!.attributes['gen_ai.input.messages'] as string) as { role: string }[];
  expect(shown.map(({ role }) => role)).toEqual(['tool']);
});
