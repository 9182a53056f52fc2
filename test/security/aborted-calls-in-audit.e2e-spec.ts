import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, ToolContext } from '@nestor-ai/core';
import { firstValueFrom, Subject } from 'rxjs';
import { callOf, startApplication } from '../nest/application.js';
import { type AuditList, newAuditFile, recordsIn, startAudited, told, withAudit } from './audited.js';

const begun = new Subject<void>();
/** A call comes to the line in which it has to wait. */
const asked = new Subject<void>();
/** Ends the tools that do not listen. */
const over = new Subject<void>();
afterEach(() => over.next());

@Injectable()
class Bank {
  @Tool() pay() {
    begun.next();
    return firstValueFrom(over);
  }
  @Tool() async polite({ signal }: ToolContext) {
    begun.next();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
  @Tool({ needsApproval: true }) wire() {
    return this.pay();
  }
  @Tool({ concurrencyKey: () => (asked.next(), 'one') }) inLine() {
    return this.pay();
  }
}

/** Nobody waits for what is recorded of a call whose caller has gone. */
async function hasEnded({ records }: AuditList): Promise<void> {
  while (records.at(-1)?.event !== 'tool-call-ended') await new Promise(setImmediate);
}

describe('a call whose turn is aborted while it runs has an end', () => {
  it('by the signal of the caller', async () => {
    const { client, sink } = await startAudited({ providers: [Bank] }, callOf('pay'));
    const controller = new AbortController();
    const started = firstValueFrom(begun);
    const answer = client.prompt('Pay').options({ signal: controller.signal }).call().content();
    await started;
    controller.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(told(sink.records)).toEqual(['pay began', 'pay: aborted, 1 tries']);
  });

  it('by a client that leaves a stream', async () => {
    const { client, sink } = await startAudited({ providers: [Bank] }, callOf('pay'));
    const started = firstValueFrom(begun);
    const subscription = client.prompt('Pay').stream().content().subscribe();
    await started;
    subscription.unsubscribe();
    await hasEnded(sink);
    expect(told(sink.records)).toEqual(['pay began', 'pay: aborted, 1 tries']);
  });

  it.each([
    ['that listens, as it has ended', 'polite', 'polite: ok, 1 tries'],
    ['that does not', 'pay', 'pay: aborted, 1 tries'],
  ])('by the end of the application, of a tool %s', async (_what, tool, end) => {
    const file = newAuditFile();
    const properties = {
      audit: { sink: 'file', file },
      shutdown: { drainTimeout: 0 },
      tools: { shutdownTimeout: 50 },
    } as const;
    const { app, client } = await startApplication(withAudit({ providers: [Bank] }), callOf(tool), { properties });
    const started = firstValueFrom(begun);
    const refused = expect(client.prompt('Pay').call().content()).rejects.toThrow('shutting down');
    await started;
    await app.close();
    await refused;
    expect(told(recordsIn(file))).toEqual([`${tool} began`, end]);
  });

  it('also when the turn goes on after an approval', async () => {
    const { client, sink } = await startAudited({ providers: [Bank] }, callOf('wire'));
    const asked = await client.prompt('Wire').call().chatResponse();
    const toolApprovals = [{ toolCallId: asked!.result!.output.toolCalls[0]!.id, approved: true }];
    const controller = new AbortController();
    const started = firstValueFrom(begun);
    const answer = client.prompt().toolApprovals(toolApprovals).options({ signal: controller.signal }).call().content();
    await started;
    controller.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(told(sink.records)).toEqual(['wire: pending_approval, 0 tries', 'wire began', 'wire: aborted, 1 tries']);
    expect(new Set(sink.records.map(({ turnId }) => turnId)).size).toBe(1);
  });
});

it('a call that is aborted while it waits in line has not begun', async () => {
  const [call] = callOf('inLine');
  const { client, sink } = await startAudited({ providers: [Bank] }, [call!, ...callOf('inLine')]);
  const [first, second] = [new AbortController(), new AbortController()];
  const started = firstValueFrom(begun);
  const ask = ({ signal }: AbortController) => client.prompt('Go').options({ signal }).call().content();
  const running = ask(first);
  await started;
  const queued = firstValueFrom(asked);
  const waiting = ask(second);
  await queued;
  second.abort();
  await expect(waiting).rejects.toThrow('aborted');
  expect(told(sink.records)).toEqual(['inLine began', 'inLine: aborted, 0 tries']);
  first.abort();
  await expect(running).rejects.toThrow('aborted');
});
