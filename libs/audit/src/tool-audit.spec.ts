import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ContentRedactor, RequestServices, type ToolCallEnd, type ToolCallRun, TurnPrincipal } from '@nestor-ai/core';
import { PRINCIPAL, RequestScope, ToolUnavailableException, TurnControl } from '@nestor-ai/core/internal';
import { ToolAudit, type ToolAuditOptions } from './tool-audit.js';
import type { ToolAuditRecord } from './tool-audit-record.js';
import { ToolAuditSink } from './tool-audit-sink.js';
import { verifyToolAudit } from './verify-tool-audit.js';

class List extends ToolAuditSink {
  readonly records: ToolAuditRecord[] = [];

  write(record: ToolAuditRecord) {
    this.records.push(record);
  }
}

class Broken extends ToolAuditSink {
  write(): never {
    throw Object.assign(new Error('no space at postgres://audit:secret@db'), { code: 'ENOSPC' });
  }
}

class Hanging extends ToolAuditSink {
  write() {
    return new Promise<void>(() => undefined);
  }
}

class Cards extends ContentRedactor {
  redact(text: string) {
    return text.replace(/\d{16}/g, '[card]');
  }
}

const broken = (redacted?: unknown): ContentRedactor => ({
  redact: () => {
    if (redacted === undefined) throw new TypeError('4111111111111111');
    return redacted as string;
  },
});

function callOf(request?: unknown, more: Partial<ToolCallRun> = {}): ToolCallRun {
  const services = new RequestServices('support').set(PRINCIPAL, new TurnPrincipal());
  const scope = new RequestScope<TurnControl>(request, undefined, services);
  return {
    id: 'run_1',
    turn: new TurnControl(undefined, scope),
    clientName: 'support',
    toolCall: { id: 'call_1', name: 'pay', arguments: '{}' },
    ui: undefined,
    isResumed: false,
    toolDefinition: { name: 'pay', description: '', inputSchema: { type: 'object' } },
    arguments: '{"card":"4111111111111111"}',
    decision: undefined,
    tries: 1,
    duration: 12,
    ...more,
  };
}

const OK: ToolCallEnd = { outcome: 'ok' };

/** The records of the start and the end of a call. */
async function recordsOf(call: ToolCallRun, end = OK, options: Partial<ToolAuditOptions> = {}) {
  const sink = new List();
  const audit = new ToolAudit({ sink, ...options });
  await audit.toolBegins(call);
  await audit.toolEnded(call, end);
  return sink.records;
}

const errors = () => jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the records of a call', () => {
  it('contain the requester, the call, the time and the outcome', async () => {
    const call = callOf({ user: { id: 'ann' } });
    const [began, ended] = await recordsOf(call);
    expect(began).toEqual({
      id: expect.any(String),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      event: 'tool-call-began',
      runId: 'run_1',
      turnId: call.turn.id,
      callId: 'call_1',
      tool: 'pay',
      client: 'support',
      requester: 'ann',
      arguments: '{"card":"4111111111111111"}',
    });
    const { id, time, ...others } = began!;
    expect(ended).toEqual({
      ...others,
      id: expect.not.stringMatching(id),
      time: expect.any(String),
      event: 'tool-call-ended',
      outcome: 'ok',
      tries: 1,
      durationMs: 12,
    });
  });

  it('contain the approver and the changes', async () => {
    const decision = { approved: true, approver: 'bob', modelArguments: '{"card":"5500000000000004"}' };
    const [began] = await recordsOf(callOf(undefined, { decision }), OK, { redactor: new Cards() });
    expect(began).toMatchObject({ approved: true, approver: 'bob', modelArguments: '{"card":"[card]"}' });
    expect(began).not.toHaveProperty('requester');
  });

  it('contain the class of an error but no message', async () => {
    const error = new TypeError('4111111111111111 is no account');
    const [, ended] = await recordsOf(callOf(), { outcome: 'error', error });
    expect(ended).toMatchObject({ outcome: 'error', errorType: 'TypeError' });
    expect(JSON.stringify(ended)).not.toContain('no account');
  });

  it('contain a made-up tool name only if it is a valid name', async () => {
    const [began] = await recordsOf(
      callOf(undefined, {
        toolCall: { id: 'a\nb', name: 'my card is 4111', arguments: '{}' },
        toolDefinition: undefined,
      }),
    );
    expect(began).toMatchObject({ tool: '_OTHER', callId: '_OTHER' });
    const unknown = callOf(undefined, {
      toolCall: { id: 'call_1', name: '4111111111111111', arguments: '{}' },
      toolDefinition: undefined,
    });
    const [redacted] = await recordsOf(unknown, OK, { redactor: new Cards() });
    expect(redacted!.tool).toBe('_OTHER');
  });
});

describe('data that cannot be read', () => {
  it.each([broken(), broken(5)])('is left out, and logged once', async (redactor) => {
    const logged = errors();
    const [began, ended] = await recordsOf(callOf(), OK, { redactor });
    expect(began).not.toHaveProperty('arguments');
    expect(ended).not.toHaveProperty('arguments');
    expect(logged.mock.calls).toEqual([[expect.stringMatching(/^Object failed with TypeError: records .* lack/)]]);
  });

  it('leaves out the requester if the principal fails', async () => {
    const logged = errors();
    const [began] = await recordsOf(callOf({ user: { id: '' } }));
    expect(began).not.toHaveProperty('requester');
    expect(logged.mock.calls).toEqual([[expect.stringMatching(/^TurnPrincipal failed with TypeError/)]]);
  });

  it('stops the call if records are required, and its end is still recorded', async () => {
    errors();
    const sink = new List();
    const audit = new ToolAudit({ sink, required: true, redactor: broken() });
    await expect(audit.toolBegins(callOf())).rejects.toThrow(
      "The tool 'pay' cannot be called now. The call was not run.",
    );
    await audit.toolEnded(callOf(), { outcome: 'unavailable' });
    expect(sink.records).toEqual([expect.objectContaining({ event: 'tool-call-ended', outcome: 'unavailable' })]);
  });
});

describe.each([
  ['fails', () => new Broken(), 'Broken failed with ENOSPC.'],
  ['does not answer', () => new Hanging(), 'Hanging failed with LateSinkException.'],
])('a sink that %s', (_what, sinkOf, text) => {
  it('does not stop calls, and is logged once', async () => {
    const logged = errors();
    const audit = new ToolAudit({ sink: sinkOf(), timeout: 5 });
    await audit.toolBegins(callOf());
    await audit.toolEnded(callOf(), OK);
    const consequence = 'Tools still run (ai.audit.required=false).';
    expect(logged.mock.calls).toEqual([[`${text} ${consequence} Missing records of tool calls so far: 1.`]]);
  });

  it('stops calls if records are required, and stays hidden from the model', async () => {
    errors();
    const audit = new ToolAudit({ sink: sinkOf(), timeout: 5, required: true });
    const refused: unknown = await audit.toolBegins(callOf()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ToolUnavailableException);
    expect((refused as Error).message).toBe("The tool 'pay' cannot be called now. The call was not run.");
    await audit.toolEnded(callOf(), OK);
  });
});

describe('a sink that does not answer', () => {
  it('is logged again after a minute', async () => {
    const logged = errors();
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const audit = new ToolAudit({ sink: new Broken() });
    for (const time of [0, 59_999, 60_000]) {
      now.mockReturnValue(time);
      await audit.toolBegins(callOf());
    }
    expect(logged.mock.calls.map(([line]) => String(line).slice(-3))).toEqual([' 1.', ' 3.']);
  });

  it('takes a limited number of records', async () => {
    errors();
    const sink = new Hanging();
    const write = jest.spyOn(sink, 'write');
    const audit = new ToolAudit({ sink, timeout: 50 });
    const call = callOf();
    await Promise.all(Array.from({ length: 10_010 }, () => audit.toolBegins(call)));
    expect(write).toHaveBeenCalledTimes(10_000);
  });

  it('does not break the hash chain if it answers too late', async () => {
    errors();
    const answers: (() => void)[] = [];
    const records: ToolAuditRecord[] = [];
    const sink: ToolAuditSink = {
      write: (record) => {
        records.push(record);
        return new Promise((resolve) => answers.push(resolve));
      },
    };
    const audit = new ToolAudit({ sink, timeout: 5, required: true, hashChain: true });
    await expect(audit.toolBegins(callOf())).rejects.toThrow('cannot be called now');
    const ended = audit.toolEnded(callOf(), { outcome: 'unavailable' });
    while (records.length < 2) {
      answers.pop()?.();
      await new Promise(setImmediate);
    }
    answers.pop()!();
    await ended;
    const lines = records.map((record) => JSON.stringify(record));
    expect(await verifyToolAudit(lines)).toMatchObject({ isIntact: true, records: 2 });
  });

  it('is waited for at shutdown', async () => {
    const answers: (() => void)[] = [];
    const sink: ToolAuditSink = { write: () => new Promise((resolve) => answers.push(resolve)) };
    const audit = new ToolAudit({ sink });
    const began = audit.toolBegins(callOf());
    const order: string[] = [];
    const ends = audit.onApplicationShutdown().then(() => order.push('ended'));
    await new Promise(setImmediate);
    order.push('written');
    for (const answer of answers) answer();
    await Promise.all([began, ends]);
    expect(order).toEqual(['written', 'ended']);
  });

  it('has the end of a call that still runs at shutdown only once', async () => {
    const sink = new List();
    const audit = new ToolAudit({ sink });
    const [running, over] = [callOf(undefined, { tries: 0 }), callOf(undefined, { id: 'run_2' })];
    for (const call of [running, over]) await audit.toolBegins(call);
    await audit.toolEnded(over, OK);
    await audit.onApplicationShutdown();
    await audit.toolEnded(running, OK);
    const ends = sink.records.flatMap(({ runId, outcome }) => (outcome ? `${runId} ${outcome}` : []));
    expect(ends).toEqual(['run_2 ok', 'run_1 aborted']);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a timeout of %s milliseconds', (timeout) => {
    expect(() => new ToolAudit({ sink: new List(), timeout })).toThrow(RangeError);
  });
});
