import { describe, expect, it } from '@jest/globals';
import { UseGuards } from '@nestjs/common';
import { AugmentedToolCallback, ChatClient, ToolCallback, ToolParam } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { askForResult, callOf, type Scene, startApplication } from '../nest/application.js';

class Wipe extends ToolCallback {
  override readonly toolDefinition = { name: 'wipe', description: 'Wipes', inputSchema: { type: 'object' } };
  override call() {
    return Promise.resolve('wiped');
  }
}
const deny = { canActivate: () => false };
@UseGuards(deny)
class Closed extends Wipe {}
class ClosedCall extends Wipe {
  @UseGuards(deny)
  override call() {
    return Promise.resolve('wiped');
  }
}
class Why {
  @ToolParam({ required: false }) why?: string;
}
@UseGuards(deny)
class ClosedAround extends AugmentedToolCallback {}

describe('a guard on a class of tools, of which a request is given an instance that the container does not know', () => {
  it.each<[string, (scene: Scene) => ChatClient]>([
    ['a client of AiModule', ({ client }) => client],
    ['ChatClient.create()', () => ChatClient.create(new ScriptedChatModel(callOf('wipe')))],
  ])('is not left out in silence: %s refuses the tool', async (_what, clientOf) => {
    const scene = await startApplication({ providers: [Wipe] }, callOf('wipe'));
    const around = new ClosedAround({ delegate: scene.app.get(Wipe), argumentType: Why });
    for (const tool of [new Closed(), new ClosedCall(), around]) {
      const asked = clientOf(scene).prompt('Go').tools(tool).call().content();
      await expect(asked).rejects.toThrow(
        /The tool 'wipe' cannot be offered to a model: Closed\w*\.call\(\) has guards, which would not run.*Provide its class in a module/,
      );
    }
  });

  it('holds where a module provides it', async () => {
    expect(await askForResult(await startApplication({ providers: [Closed] }, callOf('wipe')))).toBe(
      'Forbidden resource',
    );
  });
});
