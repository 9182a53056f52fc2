import { describe, expect, it } from '@jest/globals';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { ChatClient, FunctionToolCallback, type Prompt } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { SimpleLoggerAdvisor } from './simple-logger-advisor.js';

describe.each(bothWays)('a logger (%s)', (_how, ask) => {
  it('logs each request and each whole response once per round', async () => {
    const lines: string[] = [];
    const logger = { debug: (line: string) => lines.push(line) };
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('now')] }, 'It is noon']);
    const client = ChatClient.builder(model)
      .defaultTools(new FunctionToolCallback({ name: 'now', toolFunction: () => 12n }))
      .defaultAdvisors(new SimpleLoggerAdvisor({ logger }))
      .build();
    await ask(client);
    expect(lines.map((line) => line.split(':')[0])).toEqual(['request', 'response', 'request', 'response']);
    expect(lines[0]).toContain('"tools":["now"]');
    expect(lines[3]).toContain('It is noon');
  });

  it('logs the given texts', async () => {
    const lines: string[] = [];
    const advisor = new SimpleLoggerAdvisor({
      logger: { debug: (line: string) => lines.push(line) },
      requestToString: ({ prompt }) => `${prompt.messages.length} messages`,
      responseToString: (response) => response?.text ?? '',
    });
    await ask(clientOf(new ScriptedChatModel(['Hello']), advisor));
    expect(lines).toEqual(['request: 1 messages', 'response: Hello']);
  });
});

describe('a logger of requests', () => {
  it('never fails a request, and logs no pictures', async () => {
    const lines: string[] = [];
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    class Odd extends ScriptedChatModel {
      override async call(prompt: Prompt) {
        return (await super.call(prompt)).with({ metadata: { cyclic } });
      }
    }
    const client = clientOf(
      new Odd(['Hello']),
      new SimpleLoggerAdvisor({ logger: { debug: (line: string) => lines.push(line) } }),
    );
    const buffer = Buffer.alloc(100_000);
    const spec = client
      .prompt()
      .user((user) => user.text('See').media('image/png', buffer).media('image/png', 'A'.repeat(100_000)));
    expect(await spec.call().content()).toBe('Hello');
    expect(lines[0]!.length).toBeLessThan(1000);
    expect(lines[1]).toMatch(/cannot be shown/);
  });
});
