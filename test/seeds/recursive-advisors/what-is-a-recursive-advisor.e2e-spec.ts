// Page "Recursive Advisors", section "What is a Recursive Advisor?"
import { describe, expect, it } from '@jest/globals';
import {
  BaseAdvisor,
  type CallAdvisor,
  type CallAdvisorChain,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  UserMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';

/** Asks again, and says why, until the answer names a source. */
class EvaluationAdvisor implements CallAdvisor {
  readonly name = 'evaluation';
  readonly order = 0;

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const rest = chain.copy(this);
    let response = await rest.nextCall(request);
    while (!response.chatResponse?.text?.includes('Source:')) {
      const messages = [...request.prompt.messages, new UserMessage('Name your source.')];
      response = await rest.nextCall({ ...request, prompt: request.prompt.with({ messages }) });
    }
    return response;
  }
}

class Observing extends BaseAdvisor {
  readonly seen: string[] = [];
  constructor(
    readonly name: string,
    override readonly order: number,
  ) {
    super();
  }
  override after(response: ChatClientResponse) {
    this.seen.push(response.chatResponse?.text ?? '');
    return response;
  }
}

describe('an advisor that repeats the rest of the chain', () => {
  it('asks the model until it is satisfied, seen by those behind it each time and by those before it once', async () => {
    const model = new ScriptedChatModel(['It rains.', 'It does rain.', 'It rains. Source: the window']);
    const [before, after] = [new Observing('before', -1), new Observing('after', 1)];
    const chatClient = ChatClient.builder(model).defaultAdvisors(after, new EvaluationAdvisor(), before).build();

    expect(await chatClient.prompt('Does it rain?').call().content()).toBe('It rains. Source: the window');
    expect(after.seen).toEqual(['It rains.', 'It does rain.', 'It rains. Source: the window']);
    expect(before.seen).toEqual(['It rains. Source: the window']);
    expect(model.prompts.map(({ messages }) => messages.length)).toEqual([1, 2, 2]);
    model.assertDone();
  });

  it('cannot repeat the chain after an advisor that is not in it', async () => {
    const stranger = new Observing('stranger', 0);
    const confused: CallAdvisor = {
      name: 'confused',
      order: 0,
      adviseCall: async (request, chain) => {
        chain.copy(stranger);
        return chain.nextCall(request);
      },
    };
    const chatClient = ChatClient.builder(new ScriptedChatModel(['Hello']))
      .defaultAdvisors(confused)
      .build();
    await expect(chatClient.prompt('Hi').call().content()).rejects.toThrow(/not part of the chain: stranger/);
  });
});
