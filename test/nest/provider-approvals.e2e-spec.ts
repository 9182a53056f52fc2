import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  type ChatClientEvent,
  Tool,
  ToolApprovalException,
  type ToolCall,
  type ToolResponseMessage,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { type Scene, startApplication } from './application.js';

const booked: string[] = [];

@Injectable()
class Travel {
  @Tool()
  book(city: string) {
    booked.push(city);
    return `booked ${city}`;
  }
}

/** A call of an MCP server that the provider talks to. It waits for the user's approval. */
const mail: ToolCall = { ...toolCall('mcp.send_mail', { to: 'ada' }, 'mcp_1'), providerApprovalId: 'approval_1' };

const start = (calls: ToolCall[] = [mail]): Promise<Scene> =>
  startApplication({ providers: [Travel] }, [{ toolCalls: calls }, 'The mail is sent.']);

const decisionsIn = ({ model }: Scene) =>
  (model.lastPrompt!.messages.findLast(({ role }) => role === 'tool') as ToolResponseMessage).responses;

describe('a call that the provider runs after an approval', () => {
  afterEach(() => {
    booked.length = 0;
  });

  it('suspends the turn, and the provider reads the decision when it resumes', async () => {
    const scene = await start();
    const asked = await scene.client.prompt('Write to Ada').call().chatResponse();
    expect(asked?.pendingApprovals).toEqual([mail]);

    const answer = await scene.client
      .prompt()
      .toolApprovals([{ toolCallId: 'mcp_1', approved: true }], { turnId: asked?.turnId })
      .call()
      .content();
    expect(answer).toBe('The mail is sent.');
    expect(decisionsIn(scene)).toMatchObject([
      { id: 'mcp_1', providerApproval: { approvalId: 'approval_1', approved: true } },
    ]);
  });

  it('is denied with the reason', async () => {
    const scene = await start();
    await scene.client.prompt('Write to Ada').call().chatResponse();
    const events = await lastValueFrom(
      scene.client
        .prompt()
        .toolApprovals([{ toolCallId: 'mcp_1', approved: false, reason: 'not now' }])
        .stream()
        .events()
        .pipe(toArray()),
    );
    expect(decisionsIn(scene)).toMatchObject([
      { isError: true, providerApproval: { approvalId: 'approval_1', approved: false, reason: 'not now' } },
    ]);
    expect(events.find(({ type }) => type === 'tool-error')).toMatchObject({ isDenied: true });
  });

  it('emits no result of its own: the provider has yet to run the call', async () => {
    const scene = await start();
    await scene.client.prompt('Write to Ada').call().chatResponse();
    const request = scene.client.prompt().toolApprovals([{ toolCallId: 'mcp_1', approved: true }]);
    const events: ChatClientEvent[] = await lastValueFrom(request.stream().events().pipe(toArray()));
    expect(events.map(({ type }) => type)).not.toContain('tool-result');
  });

  it('waits beside tools of the application, which run', async () => {
    const scene = await start([toolCall('book', { city: 'Rome' }), mail]);
    const asked = await scene.client.prompt('Book and write').call().chatResponse();
    expect(asked?.pendingApprovals).toEqual([mail]);
    expect(booked).toEqual(['Rome']);
    await scene.client
      .prompt()
      .toolApprovals([{ toolCallId: 'mcp_1', approved: true }])
      .call()
      .content();
    expect(booked).toEqual(['Rome']);
    expect(decisionsIn(scene).map(({ id }) => id)).toContain('mcp_1');
  });

  it('keeps its name, even if it resembles a tool of the application', async () => {
    const scene = await start([{ ...mail, name: 'BOOK' }]);
    const asked = await scene.client.prompt('Write').call().chatResponse();
    expect(asked?.pendingApprovals[0]?.name).toBe('BOOK');
    await scene.client
      .prompt()
      .toolApprovals([{ toolCallId: 'mcp_1', approved: true }])
      .call()
      .content();
    expect(booked).toEqual([]);
  });

  it('refuses changed arguments, which the provider would never read', async () => {
    const scene = await start();
    await scene.client.prompt('Write to Ada').call().chatResponse();
    const changed = scene.client
      .prompt()
      .toolApprovals([{ toolCallId: 'mcp_1', approved: true, arguments: { to: 'eve' } }])
      .call()
      .content();
    await expect(changed).rejects.toThrow(ToolApprovalException);
    await expect(changed).rejects.toThrow('cannot be changed');
  });
});
