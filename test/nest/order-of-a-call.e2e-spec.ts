import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { AiToolExecutionContext, JsonRepair, Tool, ToolArgumentRepair } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { IsString, registerDecorator } from 'class-validator';
import { map } from 'rxjs';
import { callOf, resultOf, startApplication } from './application.js';

const steps: string[] = [];
const note = (step: string): void => void steps.push(step);
beforeEach(() => {
  steps.length = 0;
});

/** A validator that asks a database. */
const IsKnown = (): PropertyDecorator => (target, propertyName) =>
  registerDecorator({
    target: target.constructor,
    propertyName: propertyName as string,
    async: true,
    validator: {
      validate: async (value: unknown) => {
        note(`validate ${String(value)}`);
        return value !== 'nowhere';
      },
      defaultMessage: () => 'account is not known',
    },
  });

class Transfer {
  @IsString() @IsKnown() account!: string;
}

const kindOf = (value: unknown): string => (value instanceof Transfer ? 'Transfer' : 'plain object');
const guard = {
  canActivate(context: ExecutionContext) {
    const { input, toolContext, toolDefinition } = AiToolExecutionContext.of(context);
    note(`guard sees a ${kindOf(input)} for ${toolDefinition.name}`);
    return toolContext.get('role') !== 'guest';
  },
};
@Injectable()
class Interceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    note(`interceptor sees a ${kindOf(AiToolExecutionContext.of(context).input)}`);
    return next.handle().pipe(map((result) => `${String(result)}!`));
  }
}
class Pipe implements PipeTransform {
  transform(value: unknown) {
    note('pipe');
    return value;
  }
}
@Catch()
class Filter implements ExceptionFilter {
  catch(error: Error, _host: ArgumentsHost): never {
    note(`filter sees ${error.message.split('.')[0]}`);
    throw error;
  }
}

@Injectable()
@UseGuards(guard)
@UseInterceptors(Interceptor)
@UseFilters(Filter)
class Bank {
  @UsePipes(new Pipe())
  @Tool({
    needsApproval: (input: Transfer) => {
      note(`approval sees a ${kindOf(input)}`);
      return input.account === 'savings';
    },
  })
  transfer(transfer: Transfer) {
    note(`method ${transfer.account}`);
    return 'done';
  }
}
@Injectable({ scope: Scope.REQUEST })
class BankOfRequest extends Bank {}

const to = (account: unknown) => callOf('transfer', { account });

describe.each([
  ['a singleton', Bank],
  ['a request-scoped provider', BankOfRequest],
])('the steps of a call of %s', (_name, provider) => {
  it('come in this order: guard, validation, approval, interceptor, pipe, method', async () => {
    const scene = await startApplication({ providers: [provider] }, to('current'));
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('done!');
    expect(steps).toEqual([
      'guard sees a plain object for transfer',
      'validate current',
      'approval sees a Transfer',
      'interceptor sees a Transfer',
      'pipe',
      'method current',
    ]);
  });

  it('end at the guard for a caller it refuses, who learns nothing about the arguments', async () => {
    const scene = await startApplication({ providers: [provider] }, to(5));
    await scene.client.prompt('Go').toolContext({ role: 'guest' }).call().content();
    expect(resultOf(scene)).toBe('Forbidden resource');
    expect(steps).toEqual(['guard sees a plain object for transfer', 'filter sees Forbidden resource']);
  });

  it('end at the validation for arguments that do not fit, which filters see', async () => {
    const scene = await startApplication({ providers: [provider] }, to('nowhere'));
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toMatch(/account is not known/);
    expect(steps).toEqual([
      'guard sees a plain object for transfer',
      'validate nowhere',
      'filter sees Invalid arguments: account is not known',
    ]);
  });

  it('end at the approval for a call that waits, which neither interceptors nor filters see', async () => {
    const scene = await startApplication({ providers: [provider] }, to('savings'));
    const response = await scene.client.prompt('Go').call().chatResponse();
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
    expect(steps).toEqual(['guard sees a plain object for transfer', 'validate savings', 'approval sees a Transfer']);
  });

  it.each([
    ['are validated', { account: 'nowhere' }, {}, /account is not known/, 'validate nowhere'],
    ['pass the guard', { account: 'other' }, { role: 'guest' }, /Forbidden/, 'guard sees a plain object for transfer'],
  ])(
    'are taken again for arguments that an approver has changed: they %s',
    async (_what, changed, context, told, step) => {
      const scene = await startApplication({ providers: [provider] }, to('savings'));
      const response = await scene.client.prompt('Go').call().chatResponse();
      const [call] = response!.result!.output.toolCalls;
      steps.length = 0;
      const approval = { toolCallId: call!.id, approved: true, arguments: changed };
      await scene.client.prompt().toolApprovals([approval]).toolContext(context).call().content();
      expect(resultOf(scene)).toMatch(told);
      expect(steps).toContain(step);
      expect(steps.filter((line) => line.startsWith('method'))).toEqual([]);
    },
  );
});

describe('broken JSON', () => {
  it('is repaired before the guard sees it', async () => {
    const providers = [Bank];
    const repair = { provide: ToolArgumentRepair, useClass: JsonRepair };
    const script = [{ toolCalls: [toolCall('transfer', "{account: 'current',}")] }, 'done'];
    const scene = await startApplication({ providers }, script, { providers: [repair] });
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('done!');
    expect(steps[0]).toBe('guard sees a plain object for transfer');
  });

  it.each([
    ['fails after the guard, and filters see it', 'user', /not valid JSON/, 'filter sees Invalid arguments'],
    [
      'is not told to a caller whom the guard refuses',
      'guest',
      /^Forbidden resource$/,
      'filter sees Forbidden resource',
    ],
  ])('that cannot be repaired %s', async (_what, role, told, filtered) => {
    const broken = toolCall('transfer', '{"account');
    const scene = await startApplication({ providers: [Bank] }, [{ toolCalls: [broken] }, 'done']);
    await scene.client.prompt('Go').toolContext({ role }).call().content();
    expect(resultOf(scene)).toMatch(told);
    expect(steps).toEqual(['guard sees a plain object for transfer', expect.stringContaining(filtered)]);
  });
});

describe('a guard that hangs', () => {
  it('ends after the timeout, and the tool does not run when the guard lets it pass later', async () => {
    let release: ((passes: boolean) => void) | undefined;
    const hanging = {
      canActivate: () =>
        new Promise<boolean>((resolve) => {
          release = resolve;
        }),
    };
    @Injectable()
    class Slow {
      @UseGuards(hanging)
      @Tool({ timeout: 20 })
      work() {
        note('method');
        return 'done';
      }
    }
    const scene = await startApplication({ providers: [Slow] }, callOf('work'));
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toMatch(/did not answer within 20 ms/);
    release!(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(steps).toEqual([]);
  });
});
