import { expect, test } from '@jest/globals';
import { toolCall } from '@nestor-ai/testing';
import { AccountsService } from '../src/accounts.service.js';
import { createSupportApp } from './support-app.js';

/** Asks for something that needs approval: the turn waits. */
async function closeBob() {
  const app = await createSupportApp([
    { toolCalls: [toolCall('closeAccount', { email: 'bob@example.com' }, 'call-1')] },
    'Done.',
  ]);
  const response = await app.support.ask('Close the account of Bob');
  return { ...app, response, turnId: String(response?.metadata.turnId), accounts: app.module.get(AccountsService) };
}

test('no account is closed before somebody approves', async () => {
  const { response, accounts } = await closeBob();
  expect(response?.hasFinishReasons(['toolApprovalRequired'])).toBe(true);
  expect(accounts.find('bob@example.com')).toBeDefined();
});

test('an approved call runs', async () => {
  const { support, turnId, accounts, model } = await closeBob();
  const response = await support.decide(turnId, 'call-1', true);
  expect(response?.text).toBe('Done.');
  expect(accounts.find('bob@example.com')).toBeUndefined();
  model.assertDone();
});

test('a denied call does not run, and the model is told', async () => {
  const { support, turnId, accounts, model } = await closeBob();
  await support.decide(turnId, 'call-1', false);
  expect(accounts.find('bob@example.com')).toBeDefined();
  expect(model.toolResponses[0]).toMatch(/denied|not approved|declined/i);
});
