import { describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Headers,
  Injectable,
  Ip,
  Param,
  Post,
  Query,
  Req,
  Session,
  type Type,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, Tool, ToolCallbacks, ToolParam } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<{ user: string }>().user,
);

@Injectable()
class OfUser {
  @Tool() invoices(@CurrentUser() user: string) {
    return `invoices of ${user}`;
  }
}
@Injectable()
class OfRequest {
  @Tool() invoices(month: number, @Req() @ToolParam({ schema: {} }) request: unknown) {
    return [month, request];
  }
}
@Injectable()
class OfHeader {
  @Tool() invoices(@Headers('authorization') token: string) {
    return token;
  }
}
@Injectable()
class OfSession {
  @Tool() invoices(@Session() @ToolParam({ schema: {} }) session: unknown) {
    return session;
  }
}
@Injectable()
class OfAddress {
  @Tool() invoices(@Ip() address: string) {
    return address;
  }
}
@Controller()
class Route {
  @Get('invoices') @Tool() invoices(@CurrentUser() user: string) {
    return `invoices of ${user}`;
  }
}
@Injectable()
class Inheriting extends OfUser {}

const start = async (type: Type<unknown>, script: ConstructorParameters<typeof ScriptedChatModel>[0] = []) => {
  const isController = type === Route || type === Items;
  const module = await Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel(script) })],
    ...(isController ? { controllers: [type] } : { providers: [type] }),
  }).compile();
  return module.useLogger(false) ?? module.init();
};

@Controller('items')
class Items {
  @Post(':id') @Tool() change(@Param('id') id: string, @Query('how') how: string, @Body('name') name: string) {
    return [id, how, name].join();
  }
}

describe('a tool with a parameter that Nest fills from the request of a route', () => {
  it.each([OfUser, OfRequest, OfHeader, OfSession, OfAddress, Route, Inheriting])(
    'does not start, since the model would write it: %p',
    async (type) => {
      await expect(start(type)).rejects.toThrow(
        /Parameter \d of \w+\.invoices\(\) has a decorator that reads the request.*context\.request/,
      );
    },
  );

  it('is refused outside a container as well', () => {
    expect(() => ToolCallbacks.from(new OfUser())).toThrow('the model would write the value');
  });

  it('is refused if its method is static', () => {
    class OfClass {
      @Tool() static bills(@CurrentUser() user: string) {
        return `bills of ${user}`;
      }
    }
    expect(() => ToolCallbacks.from(OfClass)).toThrow('the model would write the value');
  });

  it('does not forbid an override without decorators', () => {
    class Overriding extends OfUser {
      @Tool() override invoices(month: string) {
        return `invoices of ${month}`;
      }
    }
    expect(ToolCallbacks.from(new Overriding())).toHaveLength(1);
  });

  it('starts with parameters that clients of the route send', async () => {
    const call = toolCall('change', { id: '1', how: 'now', name: 'x' });
    const module = await start(Items, [{ toolCalls: [call] }, 'Done.']);
    const client = module.get(ChatClient);
    await client.prompt('Go').call().content();
  });
});
