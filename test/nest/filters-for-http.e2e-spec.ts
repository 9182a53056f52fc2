import { afterEach, expect, it, jest } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  ConflictException,
  type ExceptionFilter,
  Injectable,
  Logger,
  type Type,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AiToolExecutionContext, Tool } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { startApplication } from './application.js';

@Injectable()
class Accounts {
  @Tool() close(): string {
    throw new ConflictException('the root account stays');
  }
}

interface Reply {
  status(code: number): { json(body: unknown): void };
}

const reply = ({ message }: Error, host: ArgumentsHost): void =>
  host.switchToHttp().getResponse<Reply>().status(500).json({ message });

@Catch()
class CatchEverything {
  catch(exception: Error, host: ArgumentsHost): void {
    reply(exception, host);
  }
}

@Catch()
class CatchHttp {
  catch(exception: Error, host: ArgumentsHost): void {
    if (!AiToolExecutionContext.is(host)) reply(exception, host);
  }
}

@Catch()
class CatchHttpLater {
  async catch(exception: Error, host: ArgumentsHost): Promise<void> {
    await Promise.resolve();
    if (!AiToolExecutionContext.is(host)) reply(exception, host);
  }
}

@Catch()
class PassOn {
  catch(exception: Error, host: ArgumentsHost): void {
    if (AiToolExecutionContext.is(host)) throw exception;
    reply(exception, host);
  }
}

afterEach(() => void jest.restoreAllMocks());

async function close(useClass: Type<ExceptionFilter>) {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  const providers = [Accounts, { provide: APP_FILTER, useClass }];
  const { client, model } = await startApplication({ providers }, [{ toolCalls: [toolCall('close')] }, 'Done.']);
  await client.prompt('Close it').request({}).call().content();
  return { read: model.toolResponses, logged: logged.mock.calls.map(([text]) => String(text)) };
}

it('a filter that writes HTTP responses fails for a tool call, and the log names what it handled', async () => {
  const { read, logged } = await close(CatchEverything);
  expect(read).toEqual(['The call has no result, but the tool had begun, and may have had an effect.']);
  expect(logged).toEqual([
    expect.stringMatching(
      /^An exception filter of the tool Accounts\.close\(\) failed with TypeError while it handled ConflictException at .*close.*AiToolExecutionContext\.is\(/,
    ),
  ]);
});

it('a filter that lets tool calls pass leaves the error to the model', async () => {
  const { read, logged } = await close(CatchHttp);
  expect(read).toEqual([expect.stringContaining('the root account stays')]);
  expect(logged.filter((text) => text.includes('exception filter'))).toEqual([]);
});

it('an asynchronous filter that lets tool calls pass leaves the error to the model', async () => {
  const { read, logged } = await close(CatchHttpLater);
  expect(read).toEqual([expect.stringContaining('the root account stays')]);
  expect(logged).toEqual([]);
});

it('a filter that throws the exception of a tool call leaves it to the model, and no log has its message', async () => {
  const { read, logged } = await close(PassOn);
  expect(read).toEqual([expect.stringContaining('the root account stays')]);
  expect(logged).toEqual([]);
});
