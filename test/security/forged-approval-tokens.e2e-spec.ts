import { describe, expect, it } from '@jest/globals';
import {
  ApprovalTokens,
  type ChatClientRequestSpec,
  SuspendedTurnRepository,
  type ToolApproval,
} from '@nestor-ai/core';
import { fromUIMessages, toUIMessageStream } from '@nestor-ai/ui';
import { lastValueFrom, toArray } from 'rxjs';
import { type Scene, startApplication } from '../nest/application.js';
import { Payments, payingScript } from './payments.js';

const SECRET = 'a secret of thirty-two characters';
const tokensOf = (options: Partial<ConstructorParameters<typeof ApprovalTokens>[0]> = {}) =>
  new ApprovalTokens({ secret: SECRET, ...options });

const start = (tokens = tokensOf()): Promise<Scene> =>
  startApplication({ providers: [Payments] }, [payingScript(100)[0]!, 'Done.'], {
    providers: [{ provide: ApprovalTokens, useValue: tokens }],
  });

async function ask({ client }: Scene): Promise<{ turnId: string; token: string }> {
  const { turnId, approvalTokens } = (await client.prompt('Pay').call().chatResponse())!.metadata;
  return { turnId: turnId!, token: approvalTokens!['call_1']! };
}

const said = (spec: ChatClientRequestSpec): Promise<string | Error | undefined> =>
  spec
    .call()
    .content()
    .catch((error: Error) => error);

const decide = ({ client }: Scene, approval: Partial<ToolApproval>, turnId?: string) =>
  said(client.prompt().toolApprovals([{ toolCallId: 'call_1', approved: true, ...approval }], { turnId }));

const FORBIDDEN = { problem: 'forbidden' };

describe('where the application signs approvals', () => {
  it('takes a decision with its token, which names the turn', async () => {
    const scene = await start();
    const { token, turnId } = await ask(scene);
    expect(ApprovalTokens.read(token)).toEqual({ turnId, toolCallId: 'call_1' });
    expect(await decide(scene, { token })).toBe('Done.');
    expect(scene.app.get(Payments).done).toHaveLength(1);
  });

  it('refuses a decision without one, with another one, or for other arguments', async () => {
    const scene = await start();
    const { token, turnId } = await ask(scene);
    const [expiresAt, signature, id] = token.split('.') as [string, string, string];
    const forged = [
      {},
      { token: '' },
      { token: id },
      { token: `${expiresAt}.${signature.slice(0, -4)}AAAA.${id}` },
      { token: `${Number(expiresAt) + 1}.${signature}.${id}` },
      { token: `${expiresAt}..${id}` },
      { token: new ApprovalTokens({ secret: 'another secret of thirty-two chars' }).sign(turnId, callIn(100)) },
      { token: tokensOf().sign(turnId, callIn(1)) },
      { token: tokensOf().sign(crypto.randomUUID(), callIn(100)) },
      { token, arguments: { amount: 1_000_000 } },
      { token: 7 as unknown as string },
    ];
    for (const approval of forged) expect(await decide(scene, approval, turnId)).toMatchObject(FORBIDDEN);
    expect(await decide(scene, { approved: false }, turnId)).toMatchObject(FORBIDDEN);
    expect(scene.app.get(Payments).done).toEqual([]);
    expect(await decide(scene, { token }, turnId)).toBe('Done.');
  });

  it('refuses a token that has expired, and says how to make another one', async () => {
    const scene = await start(tokensOf({ expiresIn: 1 }));
    const { token, turnId } = await ask(scene);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await decide(scene, { token })).toMatchObject({
      ...FORBIDDEN,
      message: expect.stringContaining('ApprovalTokens.sign()'),
    });
    const turn = (await scene.app.get(SuspendedTurnRepository).findById(turnId))!;
    expect(await decide(scene, { token: tokensOf().sign(turnId, turn.pending[0]!) })).toBe('Done.');
  });

  it('takes tokens of an old secret until it is taken away', async () => {
    const scene = await start(tokensOf({ secret: ['the newer secret, of which there are two', SECRET] }));
    const { turnId } = await ask(scene);
    const turn = (await scene.app.get(SuspendedTurnRepository).findById(turnId))!;
    expect(await decide(scene, { token: tokensOf().sign(turnId, turn.pending[0]!) })).toBe('Done.');
  });

  it('sends a token to the browser as the id of the approval, and takes it back', async () => {
    const scene = await start();
    const stream = toUIMessageStream(scene.client.prompt('Pay').stream().events());
    const chunks = (await lastValueFrom(stream.pipe(toArray()))).map(({ data }) => String(data));
    const request = chunks.map((data) => (data === '[DONE]' ? {} : (JSON.parse(data) as Record<string, string>)));
    const { approvalId, toolCallId } = request.find(({ type }) => type === 'tool-approval-request')!;
    const answered = (id: string) => ({
      role: 'assistant',
      parts: [
        { type: 'tool-pay', toolCallId, state: 'approval-responded', input: {}, approval: { id, approved: true } },
      ],
    });
    const goOn = (id: string) => {
      const { approvals, turnId } = fromUIMessages([answered(id)]);
      return said(scene.client.prompt().toolApprovals(approvals, { turnId }));
    };
    const { turnId } = ApprovalTokens.read(approvalId)!;
    expect(await goOn(`${turnId}:${toolCallId}`)).toMatchObject(FORBIDDEN);
    expect(await goOn(approvalId!)).toBe('Done.');
  });
});

describe('where the application does not sign approvals', () => {
  it('refuses a token that nobody can verify', async () => {
    const scene = await startApplication({ providers: [Payments] }, payingScript());
    const { turnId } = (await scene.client.prompt('Pay').call().chatResponse())!.metadata;
    const token = tokensOf().sign(turnId!, callIn(100));
    expect(await decide(scene, { token })).toMatchObject(FORBIDDEN);
    expect(await decide(scene, {}, turnId)).toBe('Done.');
  });
});

function callIn(amount: number) {
  return { id: 'call_1', name: 'pay', arguments: JSON.stringify({ amount }) };
}
