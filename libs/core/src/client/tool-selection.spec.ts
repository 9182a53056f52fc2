import { describe, expect, it } from '@jest/globals';
import { ToolCallback, ToolCallbackProvider } from '../model/tool-callback.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ChatClient } from './chat-client.js';

const never = (): Promise<never> => new Promise(() => undefined);

class Silent extends ToolCallbackProvider {
  getToolCallbacks() {
    return never();
  }
}

const toolWith = (visible: () => Promise<boolean>) =>
  new FunctionToolCallback({ name: 'a', toolFunction: () => 'ran', toolMetadata: { returnDirect: false, visible } });

describe('a request that waits for its tools', () => {
  it.each<[string, ToolCallback | ToolCallbackProvider]>([
    ['a visible() that does not answer', toolWith(never)],
    ['a provider that does not answer', new Silent()],
  ])('ends when its caller aborts it: %s', async (_what, tools) => {
    const caller = new AbortController();
    const request = ChatClient.create(new ScriptedChatModel(['Hi']))
      .prompt('Go')
      .tools(tools);
    const asked = request.options({ signal: caller.signal });
    setTimeout(() => caller.abort(new Error('enough')), 5);
    await expect(asked.call().content()).rejects.toThrow('enough');
    await expect(asked.stream().content()[Symbol.asyncIterator]().next()).rejects.toThrow('enough');
  });

  it('also ends if visible() answers the first time but not when the tool is called', async () => {
    const caller = new AbortController();
    let isAsked = false;
    const tool = toolWith(() => {
      if (!isAsked) return Promise.resolve((isAsked = true));
      setTimeout(() => caller.abort(new Error('enough')), 5);
      return never();
    });
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('a')] }, 'Hi']);
    const request = ChatClient.create(model).prompt('Go').tools(tool).options({ signal: caller.signal });
    await expect(request.call().content()).rejects.toThrow('enough');
  });
});

describe('a ToolCallback without a name', () => {
  class Nameless extends ToolCallback {
    constructor(override readonly toolDefinition: never) {
      super();
    }
    override call() {
      return Promise.resolve('');
    }
  }

  it.each([undefined, {}, { name: '' }, { name: 5 }])(
    'is refused with the name of its class: %j',
    async (definition) => {
      const request = ChatClient.create(new ScriptedChatModel(['Hi']))
        .prompt('Go')
        .tools(new Nameless(definition as never));
      await expect(request.call().content()).rejects.toThrow(
        /The ToolCallback Nameless has no toolDefinition with a name/,
      );
    },
  );
});
