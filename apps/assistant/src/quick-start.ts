import { BaseAdvisor, type ChatClient, type ChatClientRequest, type ChatClientResponse } from '@nestor-ai/core';

/** The questions of the quick start. The first needs a tool that reads, the second also one that acts. */
export const QUICK_START_QUESTIONS = ['What day is tomorrow?', 'Can you set an alarm 10 minutes from now?'] as const;

/** Prints the tool calls. It stands inside the tool loop, so it runs in every round. */
export class ToolCallPrinter extends BaseAdvisor {
  readonly name = 'tool call printer';

  constructor(private readonly print: (line: string) => void) {
    super();
  }

  override before(request: ChatClientRequest): ChatClientRequest {
    const last = request.prompt.messages.at(-1);
    if (last?.role === 'tool')
      for (const { name, responseData } of last.responses) this.print(`  ${name} answered ${responseData}`);
    return request;
  }

  override after(response: ChatClientResponse): ChatClientResponse {
    const calls = response.chatResponse?.result?.output.toolCalls ?? [];
    for (const call of calls) this.print(`  the model calls ${call.name}(${call.arguments})`);
    return response;
  }
}

/** Asks the questions of the quick start, and prints the tool calls and the answers. */
export async function runQuickStart(chatClient: ChatClient, print: (line: string) => void): Promise<void> {
  for (const question of QUICK_START_QUESTIONS) {
    print(`\n> ${question}`);
    const answer = await chatClient.prompt(question).advisors(new ToolCallPrinter(print)).call().content();
    print(answer ?? '(no answer)');
  }
}
