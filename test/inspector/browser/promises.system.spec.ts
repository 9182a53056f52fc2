import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AiToolExecutionContext, SuspendedTurnRepository } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { InspectedApplication, type InspectedOptions } from '../inspected-application.js';
import { answerOf, BankTools } from './bank.js';
import { CHROMIUM, close, launch, open } from './browser.js';

jest.setTimeout(60_000);

const { NODE_ENV } = process.env;

/** Each request has a user, as an application with sessions has it. */
@Injectable()
class RootGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!AiToolExecutionContext.is(context))
      context.switchToHttp().getRequest<{ user?: object }>().user = { id: 'root' };
    return true;
  }
}

(CHROMIUM ? describe : describe.skip)('the page of the inspector', () => {
  let browser: Browser;
  let context: BrowserContext;
  let inspected: InspectedApplication;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  });
  afterEach(async () => {
    process.env['NODE_ENV'] = NODE_ENV;
    await close(context);
    await inspected.close();
  });

  const start = async (options: Partial<InspectedOptions> = {}): Promise<InspectedApplication> =>
    (inspected = await InspectedApplication.start({
      chatModel: new ScriptedChatModel(answerOf),
      providers: [BankTools],
      ...options,
    }));
  const ask = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The turn runs…').waitFor({ state: 'hidden' });
  };
  const answers = (page: Page): Promise<string[]> => page.getByRole('group', { name: 'Answer' }).allTextContents();

  it('shows what was said, and goes on with it, with AiInspectorModule.forRoot() alone', async () => {
    const { page } = await open(context, await start({ content: null, inspector: {} }));
    await ask(page, 'Hello');
    await ask(page, 'the history');
    expect(await answers(page)).toEqual(['You said: Hello', 'Hello|You said: Hello|the history']);
  });

  it('names what changes with each run before a test is saved, and says whether the test passes', async () => {
    const { page } = await open(context, await start({ inspector: { testedModule: { name: 'AppModule', from: '' } } }));
    await ask(page, 'What time is it?');
    await page.getByText('Save as test').click();
    const clock = page.getByRole('checkbox', { name: 'clock has a time in its arguments or results' });
    expect(await clock.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Try the test' }).click();
    await page.getByText('The turn was run again, and is the same.').waitFor();
    await clock.uncheck();
    await page.getByRole('button', { name: 'Try the test' }).click();
    await page.getByText('The call clock({}) has another result.').waitFor();
    await page.getByRole('button', { name: 'Download the test' }).click();
    await page.getByText('Say where the test imports the module from.').waitFor();
    await page.getByLabel('Imported from').fill('../../src/app.module');
    await page.getByRole('button', { name: 'Download the test' }).click();
    await page.getByText('npm test -- test/turns/what-time-is-it.turn.spec.ts').waitFor();
  });

  it('decides about turns of other processes, and stops them', async () => {
    const journal = { provide: SuspendedTurnRepository, useValue: new InMemoryTurnJournal() };
    const other = await start({ ai: { providers: [journal] } });
    const { page: first } = await open(context, other);
    await ask(first, 'Please pay');
    await first.getByRole('button', { name: 'New conversation' }).click();
    await ask(first, 'Please pay twice');
    await first.close();
    await other.close();
    const { page } = await open(context, await start({ ai: { providers: [journal] } }), '#/turns');
    await page.getByRole('link', { name: 'Please pay', exact: true }).click();
    await page.getByRole('button', { name: 'Approve pay' }).click();
    await page.getByText('The result is paid.').first().waitFor();
    expect(inspected.get(BankTools).paid).toHaveLength(1);
    await page.getByRole('link', { name: 'Please pay twice' }).click();
    await page.getByRole('button', { name: 'Approve pay' }).first().waitFor();
    expect(await page.getByText('Save as test').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  });

  it('goes on after a restart of the application: with the conversation, the turns and what was typed', async () => {
    const home = process.cwd();
    const project = mkdtempSync(join(tmpdir(), 'project-'));
    mkdirSync(join(project, 'node_modules'));
    process.chdir(project);
    process.env['NODE_ENV'] = 'development';
    const { page } = await open(context, await start());
    try {
      await ask(page, 'Hello');
      const { port } = new URL(inspected.origin);
      await inspected.close();
      await page.getByText('The page waits for').waitFor();
      await page.getByLabel('Message').fill('the history');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('alert').getByText('The application does not answer.', { exact: true }).waitFor();
      expect(await page.getByLabel('Message').inputValue()).toBe('the history');
      await start({ port: Number(port) });
      await page.getByText('The page waits for').waitFor({ state: 'hidden' });
      await page.reload();
      await page.getByText('You said: Hello').last().waitFor();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Hello|You said: Hello|the history').first().waitFor();
      await page.getByRole('link', { name: 'Turns' }).click();
      await page.getByRole('link', { name: 'Hello', exact: true }).click();
      await page.getByRole('group', { name: 'Answer' }).getByText('You said: Hello').last().waitFor();
    } finally {
      process.chdir(home);
      rmSync(project, { recursive: true });
    }
  });

  it('reads as the user that it acts as', async () => {
    const impersonate = (user: string): object => ({ user: { id: user } });
    await start({ inspector: { guards: [RootGuard], impersonate } });
    const { page } = await open(context, inspected);
    await page.getByLabel('As user').fill('ada');
    await page.keyboard.press('Enter');
    await ask(page, 'Hello');
    expect(await answers(page)).toEqual(['You said: Hello']);
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByRole('link', { name: 'Hello' }).click();
    await page.getByText('user ada').last().waitFor();
    await page.getByLabel('As user').fill('');
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByText('Hidden: 1 turn of other users.').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('nothing has this');
    await page.getByText('No turn passes the filters.').waitFor();
    await page.getByText('Hidden: 1 turn of other users.').waitFor();
  });

  it('gives what was typed back to its user alone', async () => {
    await start({ inspector: { guards: [RootGuard], impersonate: (user: string) => ({ user: { id: user } }) } });
    const { page } = await open(context, inspected);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/chat', async (route) => {
      await held;
      await route.abort();
    });
    await page.getByLabel('Message').fill('my secret');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel('As user').fill('bob');
    await page.keyboard.press('Enter');
    const failed = page.waitForEvent('requestfailed');
    release();
    await failed;
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
    expect(await page.getByLabel('Message').inputValue()).toBe('');
  });

  it('keeps retries out of the conversation unless one goes on from them', async () => {
    const { page } = await open(context, await start());
    await ask(page, 'What is my balance?');
    await ask(page, 'Two');
    await page.getByText('2 model calls, 1 tool call').click();
    await page.getByText(/^balance .* → /).click();
    await page.getByRole('button', { name: 'Change the result of balance' }).click();
    await page.getByLabel('New result of balance').fill('a million');
    await page.getByRole('button', { name: 'Go on with the changed results' }).click();
    await page.getByText('It is no part of the conversation.').waitFor();
    await page.getByRole('link', { name: 'Compare' }).click();
    const differences = page.getByRole('region', { name: 'Differences' });
    await differences.getByText('+   balance → a million').waitFor();
    expect(await differences.locator('.other mark').first().textContent()).toBe('a million');
    // The result that was changed, and the answer.
    expect((await differences.textContent())!.match(/− /g)).toHaveLength(2);
    await page.goBack();
    await ask(page, 'the history');
    expect((await answers(page)).at(-1)).toContain('|Two|You said: Two|the history');
    await page.getByRole('button', { name: 'Go on from here' }).click();
    expect(await answers(page)).toEqual(['The result is a million.']);
    await ask(page, 'the history');
    expect((await answers(page)).at(-1)).toMatch(/The result is a million\.\|the history$/);
    await page.getByRole('button', { name: 'Go back' }).click();
    expect((await answers(page)).at(-1)).toContain('|Two|You said: Two|the history');
  });

  it('shows what the model sees of a conversation, and what has left its view', async () => {
    await start({ ai: { properties: { chat: { memory: { enabled: true, maxMessages: 2 } } } } });
    const { page, problems } = await open(context, inspected);
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByText('Nothing is remembered yet.').waitFor();
    await page.getByRole('link', { name: 'Chat' }).click();
    await ask(page, 'First');
    await ask(page, 'Second');
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('link', { name: /^inspector:/ }).click();
    const turns = page.getByRole('article');
    await turns.nth(1).waitFor();
    const classes = [0, 1].map((at) => turns.nth(at).getAttribute('class'));
    expect(await Promise.all(classes)).toEqual(['said left', 'said']);
    await page.getByText(/^The model sees about \d+ tokens\.$/).waitFor();
    await page.getByLabel('Find a conversation').fill('nothing');
    await page.getByText('No conversation has this text.').waitFor();
    expect(problems).toEqual([]);
  });

  it('does not run arguments that it does not show', async () => {
    const { page } = await open(context, await start(), '#/tools');
    await page.getByRole('link', { name: 'balance', exact: true }).click();
    const run = page.getByRole('button', { name: 'Run balance' });
    await page.getByRole('button', { name: 'Write JSON' }).click();
    await page.getByLabel('Arguments as JSON').fill('{"account":"A1"}');
    expect(await run.isEnabled()).toBe(true);
    await page.getByLabel('Arguments as JSON').fill('{"account":"A2');
    await page.getByText('This is not valid JSON yet.').waitFor();
    expect(await run.isDisabled()).toBe(true);
    await page.getByLabel('Arguments as JSON').fill('{"account":"A2"}');
    await run.click();
    await page.getByRole('group', { name: 'Result' }).getByText('"A2"').waitFor();
  });

  it('tells stopped turns, failed tools, and a filter that finds nothing', async () => {
    const { page } = await open(context, await start());
    await page.getByLabel('Message').fill('Be slow');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/word3 /).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('group', { name: 'Text until the stop' }).getByText('word3').waitFor();
    await ask(page, 'broken');
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByRole('row', { name: /Be slow.*stopped/ }).waitFor();
    await page.getByRole('row', { name: /broken.*completed.*tool failed/ }).waitFor();
    await page.getByLabel('Status').selectOption('stopped');
    await page.getByRole('row', { name: /broken/ }).waitFor({ state: 'hidden' });
    await page.getByLabel('Text', { exact: true }).fill('nothing has this');
    await page.getByText('No turn passes the filters.').waitFor();
    await page.reload();
    await page.getByText('No turn passes the filters.').waitFor();
    await page.getByRole('link', { name: 'Show all turns' }).click();
    await page.getByRole('row', { name: /broken/ }).waitFor();
    await page.getByLabel('Status').selectOption('a tool has failed');
    await page.getByRole('row', { name: /slow/ }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Slowest tool' }).click();
    await page.getByRole('columnheader', { name: 'Slowest tool ↓' }).waitFor();
  });

  it('lists the turns that wait, by the name that the page has for them', async () => {
    const { page } = await open(context, await start());
    await ask(page, 'Please pay');
    await page.getByRole('button', { name: 'New conversation' }).click();
    await ask(page, 'Hello');
    const { page: other } = await open(context, inspected, '#/turns?status=waiting');
    await other.getByRole('row', { name: /Please pay.*waiting/ }).waitFor();
    expect(await other.getByRole('link', { name: 'Hello' }).count()).toBe(0);
    expect(await other.getByLabel('Status').inputValue()).toBe('waiting');
  });

  it('shows what an approval does, and what it has changed, also to another tab', async () => {
    const { page } = await open(context, await start());
    await ask(page, 'Please pay backwards');
    const waiting = page.getByRole('region', { name: 'Calls that wait' });
    await waiting.getByText('irreversible').waitFor();
    await waiting.getByText('What it does cannot be undone.').waitFor();
    await waiting.getByText('"\\u202eadA"').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await ask(page, 'Please pay twice');
    const { page: other } = await open(context, inspected, '#/turns');
    await other.getByRole('link', { name: 'Please pay twice' }).click();
    await other.getByRole('heading', { name: '2 calls wait for you' }).waitFor();
    const both = page.getByRole('article', { name: 'Question and answer' }).filter({ hasText: 'Please pay twice' });
    await both.getByRole('button', { name: 'Approve pay' }).first().click();
    await both.getByRole('heading', { name: 'A call waits for you' }).waitFor();
    await other.getByRole('heading', { name: 'A call waits for you' }).waitFor();
    await both.getByRole('button', { name: 'Deny pay' }).click();
    await other.getByText('completed').last().waitFor();
    expect(await other.getByRole('button', { name: 'Approve pay' }).count()).toBe(0);
    expect(inspected.get(BankTools).paid).toHaveLength(1);
  });
});
