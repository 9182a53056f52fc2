import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type CanActivate, Injectable } from '@nestjs/common';
import { ApprovalPolicy, ChatClient, type Message, Tool, type TurnAccess } from '@nestor-ai/core';
import { type ScriptedAnswer, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { inDevelopedProject } from './developed-project.js';
import { InspectedApplication, type InspectedOptions, question } from './inspected-application.js';

interface Turn {
  readonly id: string;
  readonly question: string;
  readonly begunAt: number;
  readonly tools: readonly { readonly begunAt: number }[];
  readonly within?: { readonly turnId: string; readonly toolCall: number; readonly begunAt: number };
  readonly nested?: readonly Turn[];
}

/** Its tools ask the client again. */
@Injectable()
class Desk {
  later = Promise.resolve('');

  constructor(private readonly client: ChatClient) {}

  @Tool({ effect: 'read' }) async research(topic: string): Promise<string> {
    await setTimeout(1);
    return (await this.client.prompt(topic).call().content()) ?? '';
  }

  @Tool({ needsApproval: true }) approved(topic: string): Promise<string> {
    return this.research(topic);
  }

  @Tool() leave(topic: string): string {
    const ask = async (): Promise<string> => (await this.client.prompt(topic).call().content()) ?? '';
    this.later = setTimeout(50).then(ask);
    return `left ${topic}`;
  }
}

@Injectable()
class Everybody implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

/** `research: a; research: b` calls the tool with `a`; what is no such order is an answer. */
function obey({ messages }: { readonly messages: readonly Message[] }): string | ScriptedAnswer {
  const last = messages.at(-1)!;
  if (last.role === 'tool') return last.responses.map(({ responseData }) => responseData).join(' and ');
  const calls = ('text' in last ? last.text : '').split('; ').map((order) => order.split(': '));
  if (calls[0]!.length === 1) return `about ${calls[0]![0]}`;
  // A model may use an id again.
  return { toolCalls: calls.map(([name, ...topic]) => toolCall(name!, { topic: topic.join(': ') }, 'same')) };
}

let app: InspectedApplication | undefined;
const folder = inDevelopedProject();
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const start = async (options: Partial<InspectedOptions> = {}): Promise<InspectedApplication> =>
  (app = await InspectedApplication.start({
    chatModel: new ScriptedChatModel(obey),
    providers: [Desk],
    ...options,
  }));
const turnOf = (id: string): Promise<Turn> => app!.json<Turn>(`turns/${id}`);
const questionsOf = (turns: readonly Turn[] = []): readonly string[] => turns.map((turn) => turn.question).sort();

describe('a turn that begins inside of a tool call', () => {
  it('has its place in the turn around it, and knows it', async () => {
    await start();
    const { id } = await app!.run('chat', question('research: research: deep'));
    const outer = await turnOf(id);
    expect(outer.within).toBeUndefined();
    expect(questionsOf(outer.nested)).toEqual(['research: deep']);
    const [inner] = outer.nested!;
    expect(inner!.within).toEqual({ turnId: id, toolCall: 0, toolName: 'research', begunAt: outer.begunAt });
    expect(inner!.begunAt - outer.begunAt).toBeGreaterThanOrEqual(Math.floor(outer.tools[0]!.begunAt) - 1);
    const { nested } = await turnOf(inner!.id);
    expect(questionsOf(nested)).toEqual(['deep']);
    expect((await turnOf(nested![0]!.id)).nested).toBeUndefined();
  });

  it('belongs to its own call where several run at once', async () => {
    await start();
    const { id } = await app!.run('chat', question('research: a; research: b; research: c'));
    const { nested = [] } = await turnOf(id);
    const places = nested.map((turn) => [turn.question, turn.within!.toolCall]);
    expect(Object.fromEntries(places)).toEqual({ a: 0, b: 1, c: 2 });
  });

  it('is found on the timeline of a turn that has waited', async () => {
    await start();
    const { id } = await app!.run('chat', question('approved: a'));
    await setTimeout(300);
    await app!.run(`turns/${id}/decisions`, { decisions: [{ toolCallId: 'same', approved: true }] });
    const { nested, tools } = await turnOf(id);
    expect(nested).toHaveLength(1);
    const at = nested![0]!.begunAt - nested![0]!.within!.begunAt;
    expect(at - tools[0]!.begunAt).toBeLessThan(300);
  });

  it('is no part of a turn that has ended', async () => {
    await start();
    const { id } = await app!.run('chat', question('leave: it'));
    expect(await app!.get(Desk).later).toBe('about it');
    expect(questionsOf(await app!.turns<Turn>())).toEqual(['it', 'leave: it']);
    expect((await turnOf(id)).nested).toBeUndefined();
  });

  it('is shown to those alone who may read it', async () => {
    @Injectable()
    class Hides extends ApprovalPolicy {
      override authorize({ turn }: TurnAccess): boolean {
        return hidden !== turn.id;
      }
    }
    let hidden = '';
    await start({ ai: { providers: [{ provide: ApprovalPolicy, useClass: Hides }] } });
    const { id } = await app!.run('chat', question('research: secret'));
    hidden = (await turnOf(id)).nested![0]!.id;
    expect(JSON.stringify(await turnOf(id))).not.toContain(hidden);
  });

  it('is looked for in production only while somebody looks at the page', async () => {
    process.env['NODE_ENV'] = 'production';
    await start({ inspector: { enabled: true, guards: [Everybody] } });
    const ask = async (): Promise<number> => {
      const { id } = await app!.run('chat', question('research: a'));
      return (await turnOf(id)).nested?.length ?? 0;
    };
    expect(await ask()).toBe(0);
    const page = await app!.request('ai/api/changes');
    expect(await ask()).toBe(1);
    await page.body!.cancel();
  });

  it('has its place after a restart, too', async () => {
    expect(folder()).not.toBe('');
    await start();
    const { id } = await app!.run('chat', question('research: a'));
    await app!.close();
    await start();
    expect(questionsOf((await turnOf(id)).nested)).toEqual(['a']);
  });
});
