import { describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import {
  AiExceptionFilter,
  AiToolExecutionContext,
  ChatClient,
  ChatModelException,
  Tool,
  ToolContext,
  toSse,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { map } from 'rxjs';
import { WebSocket } from 'ws';
import { serve, signalled } from './http-application.js';

/** Which contexts the guard was asked in. */
const asked: string[] = [];

@Injectable()
class MemberGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    asked.push(context.getType());
    const { user } = AiToolExecutionContext.is(context)
      ? AiToolExecutionContext.of(context).getRequest<{ user?: string }>()!
      : { user: 'ann' };
    return user === 'ann';
  }
}

@Injectable()
class Archive {
  readonly begun = signalled();
  readonly aborted = signalled();

  @Tool()
  @UseGuards(MemberGuard)
  dig(context: ToolContext) {
    this.begun.give();
    return new Promise<string>((_resolve, reject) => {
      context.signal.addEventListener('abort', () => {
        this.aborted.give();
        reject(new Error('stopped'));
      });
    });
  }
}

@UseGuards(MemberGuard)
@WebSocketGateway()
class ChatGateway {
  constructor(private readonly chatClient: ChatClient) {}

  @SubscribeMessage('ask')
  ask(@MessageBody() { user, text }: { user: string; text: string }) {
    const events = this.chatClient.prompt(text).request({ user }).stream().events();
    return toSse(events, { heartbeat: false }).pipe(
      map(({ type, data }) => ({ event: type, data: JSON.parse(String(data)) as unknown })),
    );
  }

  @UseFilters(AiExceptionFilter)
  @SubscribeMessage('answer')
  answer(@MessageBody() text: string) {
    return this.chatClient.prompt(text).call().content();
  }
}

async function connect(script: ConstructorParameters<typeof ScriptedChatModel>[0]) {
  const { app, url } = await serve(
    new ScriptedChatModel(script),
    { providers: [ChatGateway, Archive] },
    { configure: (made) => made.useWebSocketAdapter(new WsAdapter(made)) },
  );
  const socket = new WebSocket(url.replace('http', 'ws'));
  await new Promise((resolve) => socket.once('open', resolve));
  const ask = (user: string) =>
    socket.send(JSON.stringify({ event: 'ask', data: { user, text: 'Dig' } }));
  return { app, socket, ask };
}

describe('a WebSocket gateway that streams an answer', () => {
  it('aborts the model and the tools when its client leaves', async () => {
    const { app, socket, ask } = await connect([{ toolCalls: [toolCall('dig')] }]);
    ask('ann');
    const archive = app.get(Archive);
    await archive.begun.seen;
    socket.close();
    await expect(archive.aborted.seen).resolves.toBeUndefined();
    expect(asked).toEqual(['ws', 'ai-tool']);
  });

  it('gives guards of tools what the gateway gave as the request', async () => {
    const { socket, ask } = await connect([{ toolCalls: [toolCall('dig')] }, 'I may not.']);
    const events: { event: string; data: { text?: string } }[] = [];
    const finished = signalled();
    socket.on('message', (message: Buffer) => {
      const event = JSON.parse(message.toString()) as (typeof events)[number];
      events.push(event);
      if (event.event === 'finish') finished.give();
    });
    ask('bob');
    await finished.seen;
    expect(events.map(({ event }) => event)).toContain('tool-error');
    expect(events.map(({ data }) => data.text ?? '').join('')).toBe('I may not.');
    socket.close();
  });
});

describe('a WebSocket gateway whose model fails', () => {
  it('tells its client as Nest does, with AiExceptionFilter', async () => {
    const { socket } = await connect([
      { error: new ChatModelException('No such key', { httpStatus: 401 }) },
    ]);
    const told = new Promise((resolve) => {
      socket.once('message', (message: Buffer) => resolve(JSON.parse(message.toString())));
    });
    socket.send(JSON.stringify({ event: 'answer', data: 'Hello' }));
    expect(await told).toEqual({
      event: 'exception',
      data: { status: 'error', message: 'Internal server error' },
    });
    socket.close();
  });
});
