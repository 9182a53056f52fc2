import { AssistantMessage, ChatModel, ChatResponse, type Prompt, type ToolCall } from '@nestor-ai/core';
import { concatMap, delay, from, type Observable, of } from 'rxjs';

/**
 * A model that every replica has and whose answers depend on nothing but the conversation: a
 * question `charge 17` asks for the tool `charge`, and its result ends the turn.
 */
export class BankModel extends ChatModel {
  override async call(prompt: Prompt): Promise<ChatResponse> {
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    return new ChatResponse({ results: [{ output: answerTo(prompt) }] });
  }

  override stream(prompt: Prompt): Observable<ChatResponse> {
    const { text, toolCalls } = answerTo(prompt);
    const chunks = toolCalls.length > 0 ? [new AssistantMessage({ toolCalls })] : textsOf(text);
    return from(chunks).pipe(
      concatMap((output) => of(new ChatResponse({ results: [{ output }] })).pipe(delay(5 + Math.random() * 10))),
    );
  }
}

function textsOf(text: string): AssistantMessage[] {
  return text.split(/(?<= )/u).map((word) => new AssistantMessage(word));
}

function answerTo({ messages }: Prompt): AssistantMessage {
  const last = messages.at(-1)!;
  if (last.role === 'user') return new AssistantMessage({ toolCalls: callsOf(last.text) });
  const question = messages.findLast(({ role }) => role === 'user') as { text: string };
  return new AssistantMessage(`The request "${question.text}" is done.`);
}

function callsOf(text: string): ToolCall[] {
  const [name = '', turn = ''] = text.split(' ');
  return [{ id: `call-${turn}`, name, arguments: JSON.stringify({ turn: Number(turn) }) }];
}
