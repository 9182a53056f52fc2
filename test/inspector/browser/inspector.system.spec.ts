import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChatClient, type ChatOptions, SuspendedTurnRepository } from '@nestor-ai/core';
import { expectTurn, replayTurn, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { InspectedApplication, type InspectedOptions } from '../inspected-application.js';
import { answerOf, AskingTools, BankTools, CountingTools, LateTools, LetterTools } from './bank.js';
import { CHROMIUM, close, launch, NO_CHROMIUM, open } from './browser.js';

jest.setTimeout(60_000);

/** The label of the element that has the focus. */
const FOCUSED = `(({ labels, textContent, ariaLabel }) => labels?.[0]?.textContent ?? ariaLabel ?? textContent.trim())(document.activeElement)`;

if (!CHROMIUM) process.stdout.write(`Skipped: ${NO_CHROMIUM}\n`);

(CHROMIUM ? describe : describe.skip)('the inspector in a browser', () => {
  let browser: Browser;
  let context: BrowserContext;
  let inspected: InspectedApplication;
  let folder: string;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'inspector-'));
    context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
    await start();
  });
  afterEach(async () => {
    await close(context);
    await inspected.close();
    rmSync(folder, { recursive: true });
  });

  async function start(options: Partial<InspectedOptions> = {}): Promise<void> {
    inspected = await InspectedApplication.start({
      chatModel: new ScriptedChatModel(answerOf),
      providers: [BankTools],
      inspector: { testsDirectory: join(folder, 'turns') },
      ...options,
    });
  }

  const ask = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const settled = (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });

  it('answers a question, and shows how', async () => {
    const { page, problems } = await open(context, inspected);
    await ask(page, 'What is my balance?');
    await page.getByRole('group', { name: 'Answer', exact: true }).waitFor();
    expect(await page.getByRole('group', { name: 'Answer', exact: true }).textContent()).toContain('"euros":100');
    await page.getByText('2 model calls, 1 tool call').click();
    await page.getByRole('heading', { name: 'Model call 2' }).waitFor();
    await page.getByText('balance {account: "A1"} → {account: "A1", euros: 100}').click();
    expect(await page.getByRole('group', { name: 'Arguments of balance' }).textContent()).toContain('A1');
    expect(problems).toEqual([]);
  });

  it('says of a call that waits that the model had read text from strangers', async () => {
    await inspected.close();
    const pay = { toolCalls: [toolCall('pay', { to: { name: 'Mallory' }, amount: 900 })] };
    const chatModel = new ScriptedChatModel([pay, 'No.', { toolCalls: [toolCall('letter')] }, pay]);
    await start({ chatModel, providers: [BankTools, LetterTools] });
    const { page } = await open(context, inspected);
    const warning = page.getByText('The model had read text from strangers before it asked.');
    await ask(page, 'Pay');
    await page.getByRole('button', { name: 'Deny pay' }).waitFor();
    expect(await warning.count()).toBe(0);
    await page.getByRole('button', { name: 'Deny pay' }).click();
    await page.getByText('No.', { exact: true }).waitFor();
    await ask(page, 'Read my letter');
    await warning.waitFor();
    await page.getByRole('button', { name: 'Approve pay' }).waitFor();
  });

  it('copies an answer', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = await open(context, inspected);
    await ask(page, 'What is my balance?');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const answer = await page.getByRole('group', { name: 'Answer', exact: true }).textContent();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(answer);
  });

  it('says that a page cannot be shown, and shows the others', async () => {
    const { page } = await open(context, inspected);
    await page.route('**/api/tools', (route) => route.fulfill({ json: [null] }));
    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    await page.getByText(/^Tools cannot be shown: TypeError/).waitFor();
    await page.getByRole('link', { name: 'Turns', exact: true }).click();
    await page.getByText('There are no turns yet').waitFor();
  });

  it('opens by the logged address alone, and tells the token to nobody else', async () => {
    const { token } = Object.fromEntries(new URL(inspected.address!).searchParams);
    const told: string[] = [];
    context.on('request', (request) => {
      const { referer = '' } = request.headers();
      if (!request.isNavigationRequest()) told.push(`${request.url()} ${referer}`);
    });
    const { page, problems } = await open(context, inspected);
    await ask(page, 'What is my balance?');
    await page.getByRole('group', { name: 'Answer', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByRole('link', { name: 'What is my balance?' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'What is my balance?' }).waitFor();
    expect(told.length).toBeGreaterThan(3);
    expect(told.join('\n')).not.toContain(token);
    expect(problems).toEqual([]);
  });

  it('says on an open page, and at an old address, that the application has started again', async () => {
    const { address, app } = inspected;
    const port = Number(new URL(address!).port);
    const { page } = await open(context, inspected);
    await app.close();
    await start({ port });
    await page.getByRole('link', { name: 'Turns' }).click();
    await page
      .getByText(/Open the address that the application logged/)
      .first()
      .waitFor();
    await page.reload();
    await page
      .getByText(/Open the address that the application logged/)
      .first()
      .waitFor();
    await page.goto(inspected.address!);
    await page.getByLabel('Message').waitFor();
  });

  it('approves a call, and answers a tool that asks', async () => {
    const { page, problems } = await open(context, inspected);
    await ask(page, 'Please pay');
    await page.getByRole('button', { name: 'Approve pay' }).click();
    await page.getByText('The result is paid.').first().waitFor();
    expect(inspected.get(BankTools).paid).toEqual(['{"to":{"name":"Ada"},"amount":5}']);
    await ask(page, 'Please book');
    await page.getByText('Which seat?').waitFor();
    await page.getByLabel('seat *').fill('A1');
    await page.getByRole('button', { name: 'Answer book' }).click();
    await page.getByText('The result is booked A1.').first().waitFor();
    await ask(page, 'Please pay again');
    await page.getByLabel('Reason, if you deny it').fill('Too much.');
    await page.getByRole('button', { name: 'Deny pay' }).click();
    await page
      .getByText(/Too much\./)
      .first()
      .waitFor();
    expect(inspected.get(BankTools).paid).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('does not let a hidden question be answered', async () => {
    await inspected.close();
    await start({ content: false });
    const { page, problems } = await open(context, inspected);
    await ask(page, 'Please book');
    await page.getByText('To read and answer the question of book, show contents.').waitFor();
    expect(await page.getByText('Which seat?').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Answer book' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Deny book' }).click();
    await page.getByText('completed').first().waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
  });

  it('changes a result and goes on', async () => {
    const { page, problems } = await open(context, inspected);
    await ask(page, 'What is my balance?');
    await page.getByText('2 model calls, 1 tool call').click();
    await page.getByText(/^balance .* → /).click();
    await page.getByRole('button', { name: 'Change the result of balance' }).click();
    await page.getByLabel('New result of balance').fill('a million');
    await page.getByRole('button', { name: 'Go on with the changed results' }).click();
    await page.getByText('The result is a million.').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('calls a tool with other arguments, and compares what comes of it', async () => {
    const { page, problems } = await open(context, inspected);
    await ask(page, 'What is my balance?');
    await page.getByText('2 model calls, 1 tool call').click();
    await page.getByText(/^balance .* → /).click();
    await page.getByRole('button', { name: 'Change the arguments of balance' }).click();
    const run = page.getByRole('button', { name: 'Call balance with these arguments' });
    const box = page.getByLabel('New arguments of balance');
    await box.fill('{"account": "B2"');
    await page.getByText('This is no JSON object yet, such as').waitFor();
    expect(await run.isDisabled()).toBe(true);
    await box.fill('{"account": "B2"}');
    await run.click();
    await page.getByRole('link', { name: 'Compare' }).click();
    const differences = page.getByRole('region', { name: 'Differences' });
    await differences.getByRole('cell', { name: '−   balance({"account":"A1"})' }).first().waitFor();
    await differences.getByRole('cell', { name: '+   balance({"account":"B2"})' }).first().waitFor();
    expect(problems).toEqual([]);
  });

  it('asks again, with another question and another model', async () => {
    const asked: (ChatOptions | undefined)[] = [];
    await inspected.close();
    await start({ chatModel: new ScriptedChatModel((prompt) => (asked.push(prompt.options), answerOf(prompt))) });
    const { page, problems } = await open(context, inspected);
    await ask(page, 'Hello');
    await page.getByText('1 model call', { exact: false }).click();
    await page.getByText('Change the question, the instructions or the model').click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Good bye');
    const again = page.getByRole('button', { name: 'Ask again' });
    await page.getByLabel('Settings').fill('{"model": "fast"');
    await page.getByText('This is no JSON object yet.').waitFor();
    expect(await again.isDisabled()).toBe(true);
    await page.getByLabel('Settings').fill('{"model": "fast"}');
    await again.click();
    await page.getByRole('link', { name: 'Compare' }).click();
    const differences = page.getByRole('region', { name: 'Differences' });
    await differences.getByText('Good bye').first().waitFor();
    expect(asked.map((options) => options?.model)).toEqual([undefined, 'fast']);
    expect(problems).toEqual([]);
  });

  it('shows the turn that a user has just made, and does not offer to decide for them', async () => {
    const ada = { user: { id: 'ada' } };
    await inspected.get(ChatClient).prompt('pay').request(ada).call().content();
    const { page, problems } = await open(context, inspected, '#/turns');
    await page.getByRole('link', { name: 'pay' }).click();
    await page.getByText('user ada').waitFor();
    await page.getByText('pay {to: {name: "Ada"}, amount: 5}').first().waitFor();
    expect(await page.getByRole('button', { name: /Approve|Deny|Stop/ }).count()).toBe(0);
    await page.getByText('To decide as its user, set the option impersonate.').waitFor();
    expect(problems).toEqual([]);
  });

  it('shows the end of a turn beside the list, also if the application tells of no change', async () => {
    await inspected.get(ChatClient).prompt('pay').call().content();
    const { page } = await open(context, inspected);
    // It never answers.
    await page.route('**/api/changes', () => undefined);
    await page.reload();
    await page.getByRole('link', { name: 'Turns', exact: true }).click();
    await page.getByRole('link', { name: 'pay' }).click();
    await page.getByRole('button', { name: 'Approve pay' }).click();
    await page.getByText('The result is paid.').first().waitFor();
    await page.getByText('The turn runs…').waitFor({ state: 'detached' });
    expect(await page.getByText('A call waits for you').count()).toBe(0);
  });

  it('cancels a call whose result comes later, and does not offer to approve it', async () => {
    await inspected.close();
    const chatModel = new ScriptedChatModel([{ toolCalls: [toolCall('report', {}, 'c1')] }, 'It was cancelled.']);
    const ai = { providers: [{ provide: SuspendedTurnRepository, useValue: new InMemoryTurnJournal() }] };
    await start({ chatModel, providers: [LateTools], ai });
    const { page, problems } = await open(context, inspected);
    await ask(page, 'Please report');
    await page.getByText('its result comes later').waitFor();
    expect(await page.getByRole('button', { name: /Approve|Change the arguments/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Deny report' }).click();
    await page.getByText('It was cancelled.').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('approves a call with other arguments', async () => {
    const { page, problems } = await open(context, inspected);
    await ask(page, 'Please pay backwards');
    await page.getByRole('button', { name: 'Change the arguments of pay' }).click();
    const box = page.getByLabel('New arguments of pay');
    expect(await box.inputValue()).toContain(String.raw`"\u202eadA"`);
    await box.fill('[]');
    expect(await page.getByRole('button', { name: 'Approve pay' }).isDisabled()).toBe(true);
    await box.fill('{"to": {"name": "Ada"}, "amount": 1}');
    await page.getByRole('button', { name: 'Approve pay' }).click();
    await page.getByText('The result is paid.').first().waitFor();
    expect(inspected.get(BankTools).paid).toEqual(['{"to":{"name":"Ada"},"amount":1}']);
    await page.getByText('2 model calls, 1 tool call').click();
    await page.getByText('pay {to: {name: "Ada"}, amount: 1} → paid').waitFor();
    expect(problems).toEqual([]);
  });

  it('shows what a running tool reports, and for how long it runs', async () => {
    await inspected.close();
    await start({ providers: [CountingTools] });
    const { page } = await open(context, inspected);
    await ask(page, 'Please report');
    await page.getByText('counted to 7').waitFor();
    await page.getByText('1 model call, 1 tool call').click();
    await page.locator('.bar.of-model').waitFor();
    // While the bar of the tool grows, that of the model call before it takes less and less of the width.
    const share = "Number.parseFloat(document.querySelector('.bar.of-model').style.width)";
    const before = await page.evaluate<number>(share);
    while ((await page.evaluate<number>(share)) >= before) await page.waitForTimeout(100);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('counted to 7').waitFor({ state: 'hidden' });
  });

  it('says where a tool has failed', async () => {
    const { page } = await open(context, inspected);
    await ask(page, 'What is broken?');
    await page.getByText('2 model calls, 1 tool call').click();
    await page.getByText(/^broken .* → /).click();
    await page.getByRole('group', { name: 'Where broken failed' }).getByText('bank.ts').waitFor();
  });

  it('has questions to begin with', async () => {
    const { page } = await open(context, inspected);
    await page.getByRole('button', { name: 'Call balance with an example, and explain the result.' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByText(/The result is/)
      .first()
      .waitFor();
  });

  it('stops a turn that is too slow', async () => {
    const { page, problems } = await open(context, inspected);
    await ask(page, 'Be slow');
    await page.getByText(/word3 /).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await settled(page);
    await page
      .getByText(/The turn was stopped in the inspector/)
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('runs a tool with a form of its schema', async () => {
    const { page, problems } = await open(context, inspected, '#/tools');
    await page.getByRole('link', { name: 'pay', exact: true }).click();
    const form = page.getByRole('form', { name: 'Run pay' });
    await form.getByLabel('name *').fill('Ada');
    await form.getByLabel('country').selectOption('FR');
    await form.getByLabel('amount *').fill('12.5');
    await form.getByLabel('on', { exact: true }).fill('2026-12-24');
    await form.getByRole('button', { name: 'Add to notes' }).click();
    await form.getByLabel('notes 1 *').fill('Rent');
    await form.getByLabel('isUrgent').selectOption('true');
    await form.getByRole('button', { name: 'Run pay' }).click();
    await page.getByRole('button', { name: 'Approve pay' }).click();
    await page.getByRole('group', { name: 'Result', exact: true }).waitFor();
    expect(JSON.parse(inspected.get(BankTools).paid[0]!)).toEqual({
      to: { name: 'Ada', country: 'FR' },
      amount: 12.5,
      on: '2026-12-24',
      notes: ['Rent'],
      isUrgent: true,
    });
    await page.getByText('What would the model see?').click();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText(/5 tools, about \d+ tokens:/).waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps a call that waits while somebody looks at another tool, types, or the server is away', async () => {
    const { page } = await open(context, inspected, '#/tools');
    await page.getByRole('link', { name: 'pay', exact: true }).click();
    const form = page.getByRole('form', { name: 'Run pay' });
    await form.getByLabel('name *').fill('Ada');
    await form.getByLabel('amount *').fill('1');
    await form.getByRole('button', { name: 'Run pay' }).click();
    const approve = page.getByRole('button', { name: 'Approve pay' });
    await approve.waitFor();
    await page.getByRole('link', { name: 'balance', exact: true }).click();
    await page.getByRole('form', { name: 'Run balance' }).waitFor();
    await page.getByRole('link', { name: 'Turns', exact: true }).click();
    await page.goBack();
    await page.goBack();
    await form.getByLabel('amount *').fill('2');
    await page.route('**/api/tool/run', (route) => route.abort());
    await approve.click();
    await page.getByText('The application does not answer.', { exact: true }).waitFor();
    await page.unroute('**/api/tool/run');
    await approve.click();
    await page.getByRole('group', { name: 'Result', exact: true }).waitFor();
    const paid = inspected.get(BankTools).paid.map((text) => JSON.parse(text) as unknown);
    expect(paid).toEqual([{ to: { name: 'Ada' }, amount: 1 }]);
  });

  it('keeps a call that waits, and what was typed for it, when the page is loaded again', async () => {
    const { page, problems } = await open(context, inspected, '#/tools');
    await page.getByRole('link', { name: 'pay', exact: true }).click();
    const form = page.getByRole('form', { name: 'Run pay' });
    await form.getByLabel('name *').fill('Ada');
    await form.getByLabel('amount *').fill('1');
    await form.getByRole('button', { name: 'Run pay' }).click();
    await page.getByRole('button', { name: 'Approve pay' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Approve pay' }).waitFor();
    expect(await form.getByLabel('amount *').inputValue()).toBe('1');
    await page.getByRole('button', { name: 'Approve pay' }).click();
    await page.getByRole('group', { name: 'Result', exact: true }).waitFor();
    expect(inspected.get(BankTools).paid).toHaveLength(1);
    await page.reload();
    await form.waitFor();
    expect(await page.getByRole('button', { name: 'Approve pay' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows a running turn of the chat beside the list as well, and loads it once for both', async () => {
    const { page, problems } = await open(context, inspected);
    const loading = new Set<string>();
    const twice: string[] = [];
    await page.route(/\/api\/turns\/[^/]+$/, async (route) => {
      const url = route.request().url();
      if (loading.has(url)) twice.push(url);
      loading.add(url);
      const response = await route.fetch();
      loading.delete(url);
      await route.fulfill({ response });
    });
    await ask(page, 'Be slow');
    await page.getByText(/word3 /).waitFor();
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByRole('link', { name: 'Be slow' }).click();
    const detail = page.locator('.detail');
    await detail.getByText('The turn runs…').waitFor();
    await detail.getByText(/word9 /).waitFor();
    await page.getByRole('link', { name: 'Chat' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await settled(page);
    await page.goBack();
    await detail.getByRole('group', { name: 'Text until the stop' }).waitFor();
    expect(twice).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('saves a turn as a test, which passes', async () => {
    const { page, problems } = await open(context, inspected);
    await ask(page, 'What is my balance?');
    await page.getByText('Save as test').click();
    await page.getByRole('button', { name: 'Write the test' }).click();
    await page.getByText(/^Written: .*what-is-my-balance\.turn\.spec\.ts$/).waitFor();
    await page.getByRole('button', { name: 'Write the test' }).click();
    await page.getByText(/exist already/).waitFor();
    await page.getByRole('button', { name: 'Replace the files' }).click();
    await page.getByText(/^Written: /).waitFor();
    const file = join(folder, 'turns/what-is-my-balance.turn.json');
    expect(existsSync(file)).toBe(true);
    const downloads: string[] = [];
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    await page.getByRole('button', { name: 'Download the test' }).click();
    await page.getByText(/^Downloaded/).waitFor();
    while (downloads.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expectTurn(await replayTurn(inspected.app, file)).toCallTool('balance', { account: 'A1' });
    expect(problems).toEqual([]);
  });

  it('lists, filters and compares turns', async () => {
    const { page, problems } = await open(context, inspected);
    await ask(page, 'One');
    await page.getByText('You said: One').first().waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await ask(page, 'What is my balance?');
    await page
      .getByText(/The result is/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByLabel('Compare One').check();
    await page.getByLabel('Compare What is my balance?').check();
    await page.getByRole('region', { name: 'Differences' }).getByText('+ user: What is my balance?').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Tool', { exact: true }).fill('balance');
    await page.getByRole('link', { name: 'One', exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'What is my balance?', exact: true }).click();
    await page.getByRole('heading', { name: 'Turn', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Timeline' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('opens the step beside the timeline that one chooses there', async () => {
    const { page, problems } = await open(context, inspected);
    await page.setViewportSize({ width: 1440, height: 900 });
    await ask(page, 'What is my balance?');
    await settled(page);
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByRole('link', { name: 'What is my balance?', exact: true }).click();
    const steps = page.getByRole('table', { name: 'Timeline' }).getByRole('button');
    await steps.nth(2).waitFor();
    expect(await steps.allTextContents()).toEqual([
      expect.stringMatching(/^1\./),
      'balance',
      expect.stringMatching(/^2\./),
    ]);
    await steps.nth(1).click();
    const call = page.locator('.detail details:focus');
    await call.getByText('Arguments', { exact: true }).waitFor();
    const [timeline, step] = [await steps.nth(1).boundingBox(), await call.boundingBox()];
    expect(step!.x).toBeGreaterThan(timeline!.x + timeline!.width);
    await steps.nth(2).click();
    expect(await page.locator('.detail :focus').getAttribute('aria-label')).toBe('Model call 2');
    expect(problems).toEqual([]);
  });

  it('leads from the timeline to a turn inside of a tool call, and back', async () => {
    await inspected.close();
    await start({ providers: [BankTools, AskingTools] });
    const { page, problems } = await open(context, inspected);
    await ask(page, 'Ask What is my balance?');
    await settled(page);
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByRole('link', { name: 'Ask What is my balance?', exact: true }).click();
    const timeline = page.getByRole('table', { name: 'Timeline' });
    await timeline.getByRole('link', { name: '→ default' }).click();
    await page.getByText('It has begun inside of ask.').waitFor();
    await timeline.getByRole('button', { name: 'balance' }).waitFor();
    await page.getByRole('link', { name: 'The turn around it' }).click();
    await timeline.getByRole('button', { name: 'ask' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('neither runs nor freezes on hostile contents', async () => {
    await inspected.close();
    await start({ inspector: { maxMemory: 200 } });
    const { page, problems } = await open(context, inspected);
    await ask(page, '<img src=x onerror=alert(0)> hostile');
    await page.getByRole('group', { name: 'Answer', exact: true }).waitFor();
    expect(await page.getByRole('group', { name: 'Answer', exact: true }).textContent()).toContain(
      '<script>alert(2)</script>',
    );
    expect(await page.locator('img').count()).toBe(0);
    await page.getByText('1 model call, 0 tool calls').click();
    await ask(page, 'A long answer');
    await settled(page);
    await page
      .getByRole('button', { name: /Show all 1\d\d,\d{3} characters/ })
      .first()
      .waitFor();
    await ask(page, 'Are you there?');
    await page.getByText('You said: Are you there?').first().waitFor();
    await page.getByRole('link', { name: 'Turns' }).click();
    await page
      .getByRole('link', { name: /hostile/ })
      .first()
      .click();
    await page.getByRole('table', { name: 'Timeline' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows ten thousand tools', async () => {
    await inspected.close();
    const { FunctionToolCallback, StaticToolCallbackProvider } = await import('@nestor-ai/core');
    const tools = Array.from(
      { length: 10_000 },
      (_, at) =>
        new FunctionToolCallback({ name: `tool_${at}`, description: `Tool <b>${at}</b>`, toolFunction: () => at }),
    );
    const provider = new StaticToolCallbackProvider(...tools);
    await start({ providers: [{ provide: 'MANY_TOOLS', useValue: provider }] });
    const { page, problems } = await open(context, inspected, '#/tools');
    await page.getByText(/^10,000 tools, about/).waitFor();
    await page.getByLabel('Find a tool').fill('tool_9999');
    await page.getByText(/^1 tool, about/).waitFor();
    await page.getByRole('link', { name: 'tool_9999' }).click();
    await page.getByRole('button', { name: 'Run tool_9999' }).click();
    await page.getByRole('group', { name: 'Result', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('can be used with the keyboard alone', async () => {
    const { page, problems } = await open(context, inspected, '#/turns');
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent.trim()')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.goto(inspected.address!);
    await page.getByLabel('Message').waitFor();
    const reach = async (name: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps++) {
        const label = await page.evaluate<string>(FOCUSED);
        if (label === name) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`The keyboard does not reach '${name}'.`);
    };
    await reach('Message');
    await page.keyboard.type('Please pay');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve pay' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Tab');
    await reach('Approve pay');
    await page.keyboard.press('Enter');
    await page.getByText('The result is paid.').first().waitFor();
    expect(inspected.get(BankTools).paid).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
