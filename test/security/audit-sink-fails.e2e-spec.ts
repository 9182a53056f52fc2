import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger, Scope } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AiBootstrapException, Tool } from '@nestor-ai/core';
import { ToolAuditSink, verifyToolAudit } from '@nestor-ai/audit';
import { toolCall } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { bootstrapError, callOf, resultOf } from '../nest/application.js';
import { AuditList, newAuditFile, startAudited, told, withAudit } from './audited.js';

const paid: number[] = [];

@Injectable()
class Bank {
  @Tool() pay(amount: number) {
    paid.push(amount);
    return 'paid';
  }
  @Tool({ needsApproval: true }) wire(amount: number) {
    paid.push(amount);
    return 'wired';
  }
}

const OUTAGE = Object.assign(new Error('connect ECONNREFUSED postgres://audit:hunter2@10.0.0.7'), {
  code: 'ECONNREFUSED',
});
const REFUSED = "The tool 'pay' cannot be called now. The call was not run.";

afterEach(() => {
  paid.length = 0;
  jest.restoreAllMocks();
});

/** Everything that is logged. */
function logged(): string[] {
  const lines: string[] = [];
  for (const level of ['error', 'warn', 'log', 'debug', 'verbose'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((...texts: unknown[]) => {
      lines.push(JSON.stringify(texts));
    });
  }
  return lines;
}

/** What an attacker does first: the disk is full, or the database is unreachable. */
async function startWithOutage(required: boolean, script = callOf('pay', { amount: 5 })) {
  const scene = await startAudited({ providers: [Bank] }, script, { required });
  scene.sink.failure = OUTAGE;
  return scene;
}

describe('a sink that fails, where records are required', () => {
  it('refuses the call before it runs, and neither model nor user learn why', async () => {
    const lines = logged();
    const scene = await startWithOutage(true);
    const answer = await scene.client.prompt('Pay 5').call().content();
    expect({ paid, answer, told: resultOf(scene) }).toEqual({ paid: [], answer: 'done', told: REFUSED });
    expect(lines.filter((line) => line.includes('ECONNREFUSED'))).toEqual([
      expect.stringContaining('AuditList failed with ECONNREFUSED. Tools do not run while it fails'),
    ]);
    expect(JSON.stringify([lines, scene.model.prompts])).not.toMatch(/hunter2|10\.0\.0\.7/);
  });

  it('refuses it in a stream as well', async () => {
    logged();
    const scene = await startWithOutage(true);
    const events = await lastValueFrom(scene.client.prompt('Pay 5').stream().events().pipe(toArray()));
    expect(paid).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool-error', response: expect.objectContaining({ responseData: REFUSED }) }),
    );
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('refuses it whatever an exception filter makes of the refusal', async () => {
    @Catch()
    class Everything implements ExceptionFilter {
      catch(_error: unknown, _host: ArgumentsHost) {
        return 'It worked.';
      }
    }
    logged();
    const providers = [Bank, { provide: APP_FILTER, useClass: Everything }];
    const scene = await startAudited({ providers }, callOf('pay', { amount: 5 }), { required: true });
    scene.sink.failure = OUTAGE;
    await scene.client.prompt('Pay 5').call().content();
    expect(paid).toEqual([]);
  });

  it('lets the next call run when it works again', async () => {
    logged();
    const scene = await startWithOutage(true, [...callOf('pay', { amount: 5 }), ...callOf('pay', { amount: 6 })]);
    await scene.client.prompt('Pay 5').call().content();
    scene.sink.failure = undefined;
    await scene.client.prompt('Pay 6').call().content();
    expect(paid).toEqual([6]);
    expect(told(scene.sink.records)).toEqual(['pay began', 'pay: ok, 1 tries']);
  });

  it('does not hide from the user that the money was sent, when it fails after that', async () => {
    logged();
    const scene = await startAudited({ providers: [Bank] }, callOf('pay', { amount: 5 }), { required: true });
    const write = scene.sink.write.bind(scene.sink);
    jest.spyOn(scene.sink, 'write').mockImplementation(async (record) => {
      await write(record);
      scene.sink.failure = OUTAGE;
    });
    await scene.client.prompt('Pay 5').call().content();
    expect({ paid, told: resultOf(scene) }).toEqual({ paid: [5], told: 'paid' });
    expect(told(scene.sink.records)).toEqual(['pay began']);
  });

  it('does not keep an approval from being asked for, and refuses the approved call', async () => {
    logged();
    const scene = await startWithOutage(true, callOf('wire', { amount: 5 }));
    const asked = await scene.client.prompt('Wire 5').call().chatResponse();
    const [call] = asked!.result!.output.toolCalls;
    const approvals = [{ toolCallId: call!.id, approved: true }];
    await scene.client.prompt().toolApprovals(approvals).call().content();
    expect({ paid, told: resultOf(scene) }).toEqual({ paid: [], told: REFUSED.replace('pay', 'wire') });
  });

  it('is refused as well where it does not answer', async () => {
    logged();
    const scene = await startAudited({ providers: [Bank] }, callOf('pay', { amount: 5 }), {
      required: true,
      timeout: 10,
    });
    jest.spyOn(scene.sink, 'write').mockReturnValue(new Promise(() => undefined));
    await scene.client.prompt('Pay 5').call().content();
    expect({ paid, told: resultOf(scene) }).toEqual({ paid: [], told: REFUSED });
  });

  it('lets the next call run when it answers again, also where a hash chain waits for a record that it has never answered', async () => {
    logged();
    const scene = await startAudited(
      { providers: [Bank] },
      [...callOf('pay', { amount: 5 }), ...callOf('pay', { amount: 6 })],
      { required: true, hashChain: true, timeout: 20 },
    );
    let answer = (): void => undefined;
    const late = new Promise<void>((resolve) => (answer = resolve));
    jest.spyOn(scene.sink, 'write').mockImplementationOnce(async (record) => {
      await late;
      scene.sink.records.push(record);
    });
    await scene.client.prompt('Pay 5').call().content();
    await scene.client.prompt('Pay 6').call().content();
    answer();
    await new Promise(setImmediate);

    expect(paid).toEqual([6]);
    expect(told(scene.sink.records)).toEqual([
      'pay: unavailable, 0 tries',
      'pay began',
      'pay: ok, 1 tries',
      'pay began',
    ]);
    const lines = scene.sink.records.map((record) => JSON.stringify(record));
    expect(await verifyToolAudit(lines)).toMatchObject({ isIntact: true, records: 4 });
  });
});

describe('a sink that fails, where records are not required', () => {
  it('is told of in the log, once, and calls go on', async () => {
    const lines = logged();
    const script = [{ toolCalls: [1, 2, 3].map((amount) => toolCall('pay', { amount })) }, 'done'];
    const scene = await startWithOutage(false, script);
    await scene.client.prompt('Pay').call().content();
    expect(paid).toEqual([1, 2, 3]);
    expect(lines.filter((line) => line.includes('AuditList'))).toEqual([
      expect.stringContaining('Tools still run (ai.audit.required=false)'),
    ]);
    expect(lines.join()).not.toContain('hunter2');
  });
});

describe('an audit that would record nothing', () => {
  const given = { provide: ToolAuditSink, useClass: AuditList };
  const unrecorded = { provide: ToolAuditSink, useValue: {} };

  it.each([
    ['a file without a name', { sink: 'file' }, [], /ai\.audit\.file is missing\. Set it to the path/],
    ['a file without the sink', { file: newAuditFile() }, [], /ai\.audit\.file is set, but ai\.audit\.sink is none/],
    ['a file in no directory', { sink: 'file', file: '/nowhere/audit.jsonl' }, [], /there is no directory \/nowhere/],
    [
      'records that are required of no sink',
      { required: true },
      [],
      /ai\.audit\.required is true, but tool calls are not recorded/,
    ],
    [
      'a hash chain of no sink',
      { hashChain: true },
      [],
      /ai\.audit\.hash-chain is true, but tool calls are not recorded/,
    ],
    [
      'two sinks',
      { sink: 'console' },
      [given],
      /provides the ToolAuditSink AuditList, but ai\.audit\.sink is console\. Remove one/,
    ],
    ['a sink that is none', {}, [unrecorded], /has no write\(\)/],
  ] as const)('stops the bootstrap: %s', async (_what, audit, providers, text) => {
    const error = await bootstrapError(withAudit({}, ...providers), { properties: { audit } });
    expect(error).toBeInstanceOf(AiBootstrapException);
    expect(error.message).toMatch(text);
  });

  it('stops the bootstrap: a sink of a single request', async () => {
    const { message } = await bootstrapError(withAudit({}, { ...given, scope: Scope.REQUEST }));
    expect(message).toMatch(
      /The AiExtension of AiAuditModule is request-scoped or transient, or injects something that is/,
    );
  });

  it('stops the bootstrap: a sink in another module', async () => {
    for (const options of [{}, { providers: [given] }]) {
      const { message } = await bootstrapError(withAudit({ providers: options.providers ? [] : [given] }), options);
      expect(message).toMatch(/The ToolAuditSink in .* has no effect there\. Move it to AiAuditModule\.forRoot/);
    }
  });

  it('stops the bootstrap: a sink without AiAuditModule', async () => {
    const { message } = await bootstrapError({ providers: [given] });
    expect(message).toMatch(/The ToolAuditSink in .* has no effect without AiAuditModule of @nestor-ai\/audit/);
  });
});
