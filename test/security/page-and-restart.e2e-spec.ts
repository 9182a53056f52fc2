import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  InMemorySuspendedTurnRepository,
  SuspendedTurnRepository,
  Tool,
  type TurnChange,
  type TurnData,
} from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../nest/application.js';
import { askedAbout, Bank, BOTH_WAYS, fetching, OBEYS, ORDER, Web, wiring } from './bank.js';

@Injectable()
class Desk {
  @Tool({ needsApproval: true }) open() {
    return 'open';
  }
  @Tool({ needsApproval: true, returnDirect: true }) report(text: string) {
    return text;
  }
}

/** As a database keeps turns: as text. */
class Turns extends InMemorySuspendedTurnRepository {
  override save(turn: TurnData, change: TurnChange) {
    return super.save(JSON.parse(JSON.stringify(turn)) as TurnData, change);
  }
}

/** A process: what is shared with others is in the repository. */
const start = (turns: Turns, script: readonly ScriptEntry[]) =>
  startApplication({ providers: [Web, Bank, Desk] }, script, {
    providers: [{ provide: SuspendedTurnRepository, useValue: turns }],
  });

const opening = toolCall('open', {}, 'call_open');
const approved = [{ toolCallId: 'call_open', approved: true }];

describe.each(BOTH_WAYS)('a turn that goes on in another process, with %s', (_way, answer) => {
  it('still knows that the model had read a page', async () => {
    const turns = new Turns();
    const first = await start(turns, [OBEYS[0]!, { toolCalls: [opening] }]);
    expect(askedAbout(await answer(first.client.prompt('Go')))).toEqual(['open']);

    const second = await start(turns, [{ toolCalls: [wiring()] }]);
    expect(askedAbout(await answer(second.client.prompt().toolApprovals(approved)))).toEqual(['wire']);
    expect(second.app.get(Bank).wired).toEqual([]);
  });

  it('knows of a page that was fetched beside the call that waited, once the model has read it', async () => {
    const turns = new Turns();
    const first = await start(turns, [{ toolCalls: [fetching(), opening] }]);
    expect(askedAbout(await answer(first.client.prompt('Go')))).toEqual(['open']);

    const second = await start(turns, [{ toolCalls: [wiring()] }]);
    expect(askedAbout(await answer(second.client.prompt().toolApprovals(approved)))).toEqual(['wire']);
  });

  it('marks an answer that the model has had a part in before', async () => {
    const turns = new Turns();
    const first = await start(turns, [OBEYS[0]!, { toolCalls: [toolCall('report', { text: ORDER }, 'call_open')] }]);
    expect(askedAbout(await answer(first.client.prompt('Go')))).toEqual(['report']);

    const second = await start(turns, []);
    const response = await answer(second.client.prompt().toolApprovals(approved));
    expect(response?.result?.output).toMatchObject({ text: ORDER, metadata: { untrusted: true } });
  });

  it('makes the payment that a human has approved, and asks about the next one', async () => {
    const turns = new Turns();
    const first = await start(turns, OBEYS);
    const asked = await answer(first.client.prompt('Go'));
    const [call] = asked!.result!.output.toolCalls;

    const second = await start(turns, [{ toolCalls: [wiring()] }]);
    const decided = second.client.prompt().toolApprovals([{ toolCallId: call!.id, approved: true }]);
    expect(askedAbout(await answer(decided))).toEqual(['wire']);
    expect(second.app.get(Bank).wired).toEqual(['900 to Mallory']);
  });
});

describe('what is stored of a turn that waits', () => {
  it('says that the model had read what strangers wrote before it asked', async () => {
    const turns = new Turns();
    const { client } = await start(turns, OBEYS);
    const asked = await client.prompt('Go').call().chatResponse();
    const held = turns.findById(asked!.metadata['turnId'] as string)!;
    expect(held.messages.at(-2)).toMatchObject({ role: 'assistant', metadata: { untrusted: true } });
    expect(held.messages.at(-3)).toMatchObject({ responses: [{ name: 'fetchPage', untrusted: true }] });
  });
});
