import { describe, expect, it } from '@jest/globals';
import { Injectable, UseGuards } from '@nestjs/common';
import {
  type AdvisorSpec,
  ChatMemory,
  InMemorySuspendedTurnRepository,
  MessageChatMemoryAdvisor,
  Ordered,
  SuspendedTurnRepository,
  Tool,
  ToolParam,
} from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import type { Scene } from '../nest/application.js';
import { sent, startWithSearch } from './application.js';

class Nobody {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class OfficeTools {
  @Tool({ description: 'Tells the outside temperature of a city in degrees Celsius' })
  currentWeather(@ToolParam({ description: 'Name of the city' }) city: string) {
    return { Amsterdam: 30, Tokyo: 10, Paris: 15 }[city] ?? 'unknown';
  }

  @Tool({ description: 'Tells which clothes shops of a city are open now', metadata: { dependsOn: ['currentTime'] } })
  clothingShops(city: string) {
    return [`The ${city} Hatter`];
  }

  @Tool({ description: 'Tells the current date and time' })
  currentTime() {
    return '2026-11-21T12:00:00Z';
  }

  @Tool({ description: 'Says hello', metadata: { alwaysAvailable: true } })
  hello() {
    return 'Hello';
  }

  @UseGuards(Nobody)
  @Tool({ description: 'Fires an employee' })
  fireEmployee(name: string) {
    return `${name} is fired`;
  }
}

const call = (name: string, input: object = {}): ScriptEntry => ({ toolCalls: [toolCall(name, input)] });
const search = (query: string) => call('toolSearchTool', { query });
const OUTSIDE = undefined;
const INSIDE = Ordered.HIGHEST_PRECEDENCE + 1000;

type Way = 'call' | 'stream';

/** Asks in one conversation, whose memory stands outside of the loop or inside of it. */
async function ask({ client, app }: Scene, way: Way, order: number | undefined, question: string): Promise<string> {
  const memory = new MessageChatMemoryAdvisor({
    chatMemory: app.get(ChatMemory),
    ...(order !== undefined && { order }),
  });
  const request = client
    .prompt(question)
    .advisors((spec) => spec.advisors(memory).param(ChatMemory.CONVERSATION_ID, 'c1'));
  if (way === 'call') return (await request.call().content()) ?? '';
  return (await lastValueFrom(request.stream().content().pipe(toArray()))).join('');
}

describe.each([
  ['call', 'outside', OUTSIDE],
  ['call', 'inside', INSIDE],
  ['stream', 'outside', OUTSIDE],
  ['stream', 'inside', INSIDE],
] as const)('a conversation over three turns by %s, with its memory %s the loop', (way, _where, order) => {
  it('goes on in turn three with the tool that it found in turn one', async () => {
    const scene = await startWithSearch({ providers: [OfficeTools] }, [
      search('weather of a city'),
      {
        toolCalls: ['Amsterdam', 'Tokyo', 'Paris'].map((city) => toolCall('currentWeather', { city })),
      },
      '30, 10 and 15 degrees.',
      search('open clothes shops'),
      call('clothingShops', { city: 'Tokyo' }),
      'The Tokyo Hatter.',
      call('currentWeather', { city: 'Tokyo' }),
      'Still 10 degrees.',
    ]);
    expect(await ask(scene, way, order, 'What is the weather in Amsterdam, Tokyo and Paris?')).toBe(
      '30, 10 and 15 degrees.',
    );
    expect(await ask(scene, way, order, 'Where can I buy a coat in Tokyo?')).toBe('The Tokyo Hatter.');
    expect(await ask(scene, way, order, 'And the weather now?')).toBe('Still 10 degrees.');
    scene.model.assertDone();
    const rounds = scene.model.prompts.map(sent);
    expect(rounds[0]).toEqual(['toolSearchTool', 'hello']);
    expect(rounds[1]!.slice(0, 3)).toEqual(['toolSearchTool', 'hello', 'currentWeather']);
    expect(rounds[4]).toEqual(expect.arrayContaining(['clothingShops', 'currentTime']));
    // What came first stays first: a provider that caches prompts finds the beginning again.
    for (let round = 1; round < rounds.length; round++) {
      expect(rounds[round]!.slice(0, rounds[round - 1]!.length)).toEqual(rounds[round - 1]);
    }
    expect(scene.model.toolResponses.at(-1)).toBe('10');
    expect(rounds.flat()).not.toContain('fireEmployee');
  });
});

describe('a tool that was searched for', () => {
  it('runs behind its guards, and with its arguments checked', async () => {
    const scene = await startWithSearch({ providers: [OfficeTools] }, [
      search('fire an employee'),
      call('fireEmployee', { name: 'Bob' }),
      call('currentWeather', { town: 'Paris' }),
      'No.',
    ]);
    await scene.client.prompt('Fire Bob').call().content();
    const [found, fired, weather] = scene.model.toolResponses;
    expect(found).toContain('fireEmployee');
    expect(fired).toContain('Forbidden');
    expect(weather).toContain('city');
  });

  it('is told of in the events of a stream like any other', async () => {
    const scene = await startWithSearch({ providers: [OfficeTools] }, [
      search('weather'),
      call('currentWeather', { city: 'Paris' }),
      'Mild.',
    ]);
    const events = await lastValueFrom(scene.client.prompt('Paris?').stream().events().pipe(toArray()));
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? event.toolCall.name : []));
    expect(calls).toEqual(['toolSearchTool', 'currentWeather']);
  });
});

describe('a turn that waits for approval', () => {
  @Injectable()
  class Payments {
    @Tool({ description: 'Pays an invoice', needsApproval: true })
    payInvoice(number: string) {
      return `invoice ${number} is paid`;
    }

    @Tool({ description: 'Lists employees' })
    listEmployees() {
      return [];
    }
  }

  it('goes on with the tools that it had found, told of the search once', async () => {
    const scene = await startWithSearch({ providers: [Payments] }, [
      search('pay an invoice'),
      { toolCalls: [toolCall('payInvoice', { number: '7' }, 'p')] },
      'Paid.',
    ]);
    const asked = await scene.client.prompt('Pay invoice 7').call().chatResponse();
    expect(asked!.result!.metadata!.finishReason).toBe('toolApprovalRequired');
    const answer = await scene.client
      .prompt()
      .toolApprovals([{ toolCallId: 'p', approved: true }])
      .call()
      .content();
    expect(answer).toBe('Paid.');
    expect(sent(scene.model.lastPrompt)).toEqual(['toolSearchTool', 'payInvoice']);
    expect(scene.model.lastPrompt!.systemMessage!.text.match(/toolSearchTool/g)).toHaveLength(1);
    expect(scene.model.toolResponses.at(-1)).toContain('invoice 7 is paid');
  });

  it('goes on in another process with all that was found before, in its order', async () => {
    const repository = new InMemorySuspendedTurnRepository();
    const ai = { providers: [{ provide: SuspendedTurnRepository, useValue: repository }] };
    const inSession = (spec: AdvisorSpec) => void spec.param('chat_memory_conversation_id', 's');
    const first = await startWithSearch(
      { providers: [Payments] },
      [
        {
          toolCalls: [
            toolCall('toolSearchTool', { query: 'list employees' }),
            toolCall('toolSearchTool', { query: 'pay invoice' }),
          ],
        },
        'ok',
        { toolCalls: [toolCall('payInvoice', { number: '7' }, 'p')] },
      ],
      {},
      { ai },
    );
    for (const question of ['Look around', 'Pay']) {
      await first.client.prompt(question).advisors(inSession).call().content();
    }
    const second = await startWithSearch({ providers: [Payments] }, ['Paid.', 'Bye.'], {}, { ai });
    await second.client
      .prompt()
      .advisors(inSession)
      .toolApprovals([{ toolCallId: 'p', approved: true }])
      .call()
      .content();
    await second.client.prompt('Thanks').advisors(inSession).call().content();
    for (const prompt of second.model.prompts)
      expect(sent(prompt)).toEqual(['toolSearchTool', 'listEmployees', 'payInvoice']);
  });
});
