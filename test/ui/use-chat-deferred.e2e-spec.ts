import { expect, test } from '@jest/globals';
import { Chat } from '@ai-sdk/react';
import { Body, Controller, Injectable, RequestMethod, Sse } from '@nestjs/common';
import { ChatClient, SuspendedTurnRepository, Tool, ToolContext } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { AiTurnsModule, InMemoryTurnJournal } from '@nestor-ai/turns';
import { toUIMessageStream, type UIMessageInput, withUIMessages } from '@nestor-ai/ui';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { serve } from '../recipes/http-application.js';

@Injectable()
class Bank {
  @Tool({ description: 'Asks the bureau about a customer', needsApproval: true })
  report(customer: string, context: ToolContext): unknown {
    return customer === '' ? 'nobody' : context.defer();
  }

  @Tool({ description: 'Pays a bill', needsApproval: true })
  pay(bill: number): string {
    return `paid ${bill}`;
  }
}

@Controller()
class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Sse('chat', { method: RequestMethod.POST })
  chat(@Body('messages') messages: UIMessageInput[]): ReturnType<typeof toUIMessageStream> {
    return toUIMessageStream(withUIMessages(this.chatClient.prompt(), messages).stream().events());
  }
}

test('a page decides about a call while one that it has approved waits for its result', async () => {
  const calls = [toolCall('report', { customer: 'Ann' }, 'a'), toolCall('pay', { bill: 7 }, 'b')];
  const providers = [
    ...AiTurnsModule.providers(),
    { provide: SuspendedTurnRepository, useValue: new InMemoryTurnJournal() },
  ];
  const module = { controllers: [ChatController], providers: [Bank] };
  const { url } = await serve(new ScriptedChatModel([{ toolCalls: calls }]), module, { ai: { providers } });
  const chat = new Chat<UIMessage>({ transport: new DefaultChatTransport({ api: `${url}/chat` }) });
  const callsOfPage = (): readonly { state: string; input: unknown; output?: unknown; approval: { id: string } }[] =>
    chat.lastMessage!.parts.filter((part) => 'toolCallId' in part) as never;
  const approve = async (at: number): Promise<void> => {
    await chat.addToolApprovalResponse({ id: callsOfPage()[at]!.approval.id, approved: true });
    await chat.sendMessage();
  };

  await chat.sendMessage({ text: 'Check Ann, and pay the bill' });
  await approve(0);
  expect(callsOfPage()).toMatchObject([
    { state: 'input-available', input: { customer: 'Ann' } },
    { state: 'approval-requested' },
  ]);
  await approve(1);

  expect(chat.error).toBeUndefined();
  expect(callsOfPage()).toMatchObject([
    { state: 'input-available', input: { customer: 'Ann' } },
    { state: 'output-available', output: 'paid 7' },
  ]);
});
