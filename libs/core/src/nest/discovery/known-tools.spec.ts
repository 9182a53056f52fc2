import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type INestApplicationContext,
  Injectable,
  Module,
  type Provider,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { IsString } from 'class-validator';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { AugmentedToolCallback } from '../../tool/augmentation/augmented-tool-callback.js';
import { Tool } from '../../tool/declaration/tool.decorator.js';
import { FunctionToolCallback } from '../../tool/function-tool-callback.js';
import { MethodToolCallback } from '../../tool/method-tool-callback.js';
import { ToolDefinitions } from '../../tool/tool-definitions.js';
import { AiModule } from '../ai.module.js';
import { ToolAroundFactory } from '../invocation/tool-around.factory.js';
import { KnownTools } from './known-tools.js';
import { ToolPins } from './tool-pins.js';
import { ToolProviderStatus } from './tool-provider-status.js';
import { ToolExplorer } from './tool.explorer.js';

class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Bank {
  @Tool() balance(): string {
    return 'rich';
  }

  @UseGuards(Closed)
  @Tool()
  transfer(): string {
    return 'done';
  }
}

class Reason {
  @IsString() reason!: string;
}

let app: INestApplicationContext | undefined;
afterEach(() => app?.close());

async function knownTools(providers: Provider[], imports: (new () => object)[] = []): Promise<KnownTools> {
  const metadata = { imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) }), ...imports], providers };
  const module = await Test.createTestingModule(metadata).compile();
  app = module;
  const get = <T>(type: abstract new (...given: never[]) => T): T => module.get<T>(type, { strict: false });
  return new KnownTools(get(ToolExplorer).explore(), get(ToolAroundFactory), {
    status: new ToolProviderStatus(),
    timeout: 1000,
    pins: get(ToolPins),
  });
}

const namesOf = (tools: ReturnType<KnownTools['of']>): string[] | undefined =>
  tools?.map(({ toolDefinition }) => toolDefinition.name);

describe('known tools', () => {
  it('are found by the provider instance and by its class', async () => {
    const known = await knownTools([Bank]);
    expect(namesOf(known.of(app!.get(Bank)))).toEqual(['balance', 'transfer']);
    expect(namesOf(known.of(Bank))).toEqual(['balance', 'transfer']);
  });

  it('are not found by objects from outside the container', async () => {
    const known = await knownTools([Bank]);
    expect(known.of(new Bank())).toBeUndefined();
    expect(known.of(new FunctionToolCallback({ name: 'own', toolFunction: () => 1 }))).toBeUndefined();
  });

  it('replace a tool that was created from a provider by hand, even under another name', async () => {
    const known = await knownTools([Bank]);
    const [, registered] = known.of(Bank)!;
    const options = { toolMethod: 'balance', toolObject: app!.get(Bank) };
    const same = new MethodToolCallback({ ...options, toolDefinition: ToolDefinitions.from(Bank, 'balance') });
    expect(known.resolveRegistered(same)).toBe(known.of(Bank)![0]);
    const toolDefinition = { name: 'wealth', description: 'How rich', inputSchema: { type: 'object' } };
    const renamed = known.resolveRegistered(new MethodToolCallback({ ...options, toolDefinition }));
    expect(renamed?.toolDefinition.name).toBe('wealth');
    expect(await renamed?.call('{}')).toBe('rich');
    expect(known.resolveRegistered(registered!)).toBe(registered);
  });

  it('run behind their guards when called through an augmented tool', async () => {
    const known = await knownTools([Bank]);
    const [, transfer] = known.of(Bank)!;
    const augmented = new AugmentedToolCallback({ delegate: transfer!, argumentType: Reason });
    const resolved = known.resolveRegistered(augmented);
    await expect(resolved!.call('{"reason":"rent"}')).rejects.toThrow('Forbidden resource');
  });

  it('count once for a class that two modules provide', async () => {
    @Module({ providers: [Bank] })
    class Branch {}
    const known = await knownTools([Bank], [Branch]);
    expect({ all: known.all.length, unique: known.unique.length }).toEqual({ all: 4, unique: 2 });
  });
});
