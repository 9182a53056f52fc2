import { describe, expect, it } from '@jest/globals';
import { Controller, Injectable, Module } from '@nestjs/common';
import {
  AugmentedToolCallback,
  ChatClient,
  FunctionToolCallback,
  MethodToolCallback,
  StaticToolCallbackProvider,
  Tool,
  type ToolCallback,
  ToolCallbackProvider,
  type ToolContext,
  ToolFilter,
  ToolParam,
  ToolRegistry,
  toolsWhere,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { callOf, offeredTools, startApplication } from './application.js';

const isAdmin = (context: ToolContext) => context.get('role') === 'admin';

@Injectable()
class UserTools {
  @Tool({ metadata: { category: 'read' } }) findUser() {
    return 'user';
  }
  @Tool({ visible: isAdmin, metadata: { category: 'write' } }) deleteUser() {
    return 'deleted';
  }
}

describe('@Tool({ visible })', () => {
  const ask = async (role: string, script = ['Hi', 'Hi'] as Parameters<typeof startApplication>[1]) => {
    const scene = await startApplication({ providers: [UserTools] }, script);
    await scene.client.prompt('Go').toolContext({ role }).call().content();
    return scene.model;
  };

  it('decides what the model of a user sees', async () => {
    expect(offeredTools(await ask('admin'))).toEqual(['findUser', 'deleteUser']);
    expect(offeredTools(await ask('guest'))).toEqual(['findUser']);
  });

  it('makes a tool that is not seen one that does not exist', async () => {
    const model = await ask('guest', callOf('deleteUser'));
    expect(model.toolResponses).toEqual(["Unknown tool 'deleteUser'. Available tools: findUser."]);
  });

  it('knows the request of the caller, and may take its time', async () => {
    @Injectable()
    class Tools {
      @Tool({
        visible: async ({ turn }) => (turn.request as { user?: string } | undefined)?.user === 'ann',
      })
      secret() {
        return 'secret';
      }
    }
    const { client, model } = await startApplication({ providers: [Tools] }, ['Hi', 'Hi']);
    await client.prompt('Go').request({ user: 'ann' }).call().content();
    expect(offeredTools(model)).toEqual(['secret']);
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual([]);
  });

  it.each<[string, (tools: UserTools, registered: ToolCallback) => object[]]>([
    ['the instance', (tools) => [tools]],
    ['the class', () => [UserTools]],
    ['the name', () => ['deleteUser' as never]],
    ['the registered callback', (_tools, registered) => [registered]],
    ['a query', () => [toolsWhere({ metadata: { category: 'write' } })]],
    ['a provider of tools', (_tools, registered) => [new StaticToolCallbackProvider([registered])]],
    [
      'the method under another name',
      (tools) => [
        new MethodToolCallback({
          toolObject: tools,
          toolMethod: 'deleteUser',
          toolDefinition: { name: 'other', description: '', inputSchema: { type: 'object' } },
          toolMetadata: { returnDirect: false, visible: () => true },
        }),
      ],
    ],
    [
      'the tool with arguments added',
      (_tools, registered) => {
        class Thought {
          @ToolParam({ description: 'Why' }) why!: string;
        }
        return [new AugmentedToolCallback({ delegate: registered, argumentType: Thought })];
      },
    ],
  ])('holds whatever way the tool takes into a request: %s', async (_name, give) => {
    const { app, client, model } = await startApplication({ providers: [UserTools] }, ['Hi', 'Hi']);
    const registered = app.get(ToolRegistry).get('deleteUser')!.callback;
    const tools = give(app.get(UserTools), registered);
    await client
      .prompt('Go')
      .tools(...tools)
      .call()
      .content();
    expect(offeredTools(model)).not.toContain('deleteUser');
    expect(offeredTools(model)).not.toContain('other');
    await client
      .prompt('Go')
      .tools(...tools)
      .toolContext({ role: 'admin' })
      .call()
      .content();
    expect(offeredTools(model).length).toBeGreaterThan(0);
  });

  it('holds for a tool that is looked up because the model names it', async () => {
    const properties = { tools: { resolution: { fallback: { enabled: true } } } };
    const { client, model } = await startApplication({ providers: [UserTools] }, callOf('deleteUser'), { properties });
    await client.prompt('Go').tools('findUser').call().content();
    expect(model.toolResponses).toEqual([expect.stringMatching(/^Unknown tool 'deleteUser'/)]);
  });

  it('fails the request, and offers nothing, when it cannot be known', async () => {
    @Injectable()
    class Tools {
      @Tool({
        visible: () => {
          throw new Error('no connection');
        },
      })
      work() {
        return 1;
      }
    }
    const { client, model } = await startApplication({ providers: [Tools] }, ['Hi', 'Hi']);
    await expect(client.prompt('Go').call().content()).rejects.toThrow(
      "Cannot decide whether this request may use the tool 'work': no connection",
    );
    expect(model.prompts).toHaveLength(0);
  });

  it('holds without a container, in streams too', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('work')] }, 'Hi']);
    const work = new FunctionToolCallback({
      name: 'work',
      toolFunction: () => 1,
      toolMetadata: { returnDirect: false, visible: isAdmin },
    });
    const client = ChatClient.builder(model).defaultTools(work).build();
    for await (const _text of client.prompt('Go').stream().content()) continue;
    expect(model.toolResponses).toEqual([expect.stringMatching(/No tools are available/)]);
  });
});

describe('a ToolFilter', () => {
  @Injectable()
  class Roles {
    readonly ofGuest = ['read'];
  }
  @Injectable()
  class ByCategory extends ToolFilter {
    constructor(private readonly roles: Roles) {
      super();
    }
    isVisible({ toolMetadata }: ToolCallback, context: ToolContext) {
      return isAdmin(context) || this.roles.ofGuest.includes(String(toolMetadata.category));
    }
  }
  @Injectable()
  class Given extends ToolCallbackProvider {
    getToolCallbacks() {
      return [new FunctionToolCallback({ name: 'given', toolFunction: () => 1 })];
    }
  }

  it('decides for all clients, with what is injected into it, also of tools that providers give', async () => {
    const { client, model } = await startApplication({ providers: [UserTools, Given] }, ['Hi', 'Hi'], {
      providers: [Roles, { provide: ToolFilter, useClass: ByCategory }],
    });
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['findUser']);
    await client.prompt('Go').toolContext({ role: 'admin' }).call().content();
    expect(offeredTools(model)).toEqual(['findUser', 'deleteUser', 'given']);
  });
});

@Controller()
class OrderController {
  @Tool() listOrders() {
    return 'orders';
  }
}
@Module({ providers: [UserTools], exports: [UserTools] })
class UserModule {}
@Module({ imports: [UserModule], controllers: [OrderController], providers: [UserTools] })
class OrderModule {}

describe('tools of the application', () => {
  it('are listed with where they come from', async () => {
    const { app } = await startApplication({ imports: [UserModule, OrderModule] });
    const registry = app.get(ToolRegistry);
    expect(registry.get('deleteUser')).toMatchObject({
      name: 'deleteUser',
      description: 'delete user',
      moduleName: 'UserModule',
      moduleType: UserModule,
      className: 'UserTools',
      classType: UserTools,
      methodName: 'deleteUser',
      metadata: { category: 'write' },
    });
    expect(registry.list().map(({ name }) => name)).toEqual(['findUser', 'deleteUser', 'listOrders']);
  });

  it.each([
    [{ include: [OrderModule] }, ['findUser', 'deleteUser', 'listOrders']],
    [{ include: [UserModule] }, ['findUser', 'deleteUser']],
    [{ classes: [OrderController] }, ['listOrders']],
    [{ names: ['listOrders', 'nothing'] }, ['listOrders']],
    [{ metadata: { category: 'read' } }, ['findUser']],
    [{ metadata: (metadata: Record<string, unknown>) => metadata.category !== undefined }, ['findUser', 'deleteUser']],
    [{ include: [OrderModule], metadata: { category: 'write' } }, ['deleteUser']],
    [{}, ['findUser', 'deleteUser', 'listOrders']],
  ])('are found and given by module, class, name and metadata: %j', async (criteria, names) => {
    const { app, client, model } = await startApplication({ imports: [UserModule, OrderModule] }, ['Hi', 'Hi']);
    const found = app.get(ToolRegistry).find(criteria);
    expect(found.map(({ name }) => name)).toEqual(names);
    await client.prompt('Go').tools(toolsWhere(criteria)).toolContext({ role: 'admin' }).call().content();
    expect(offeredTools(model)).toEqual(names);
  });

  it('are those of the included modules only, when AiModule is told so; others can be given all the same', async () => {
    const { client, model } = await startApplication({ imports: [UserModule, OrderModule] }, ['Hi', 'Hi'], {
      include: [UserModule],
    });
    await client.prompt('Go').call().content();
    expect(offeredTools(model)).toEqual(['findUser']);
    await client.prompt('Go').tools('listOrders').call().content();
    expect(offeredTools(model)).toEqual(['listOrders']);
  });

  it('that are asked for outside of a container are refused with the remedy', async () => {
    const client = ChatClient.create(new ScriptedChatModel(['Hi', 'Hi']));
    await expect(
      client
        .prompt('Go')
        .tools(toolsWhere({ names: ['x'] }))
        .call()
        .content(),
    ).rejects.toThrow(/toolsWhere\(\) needs the injected ChatClient of AiModule/);
  });
});
