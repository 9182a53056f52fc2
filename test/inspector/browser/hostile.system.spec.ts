import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChatClient, type Message, StaticToolCallbackProvider, ToolCallback } from '@nestor-ai/core';
import { type ScriptedAnswer, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { InspectedApplication } from '../inspected-application.js';
import { answerOf, BankTools } from './bank.js';
import { CHROMIUM, close, launch, open } from './browser.js';

jest.setTimeout(60_000);

const DEEP = '['.repeat(5000) + ']'.repeat(5000);
/** JavaScript has neither both amounts nor the second one. */
const TWICE = '{"amount":1,"amount":12345678901234567890}';
const ANSWERS: Readonly<Record<string, string | ScriptedAnswer>> = {
  quotes: '>'.repeat(20_000),
  numbers: '1. '.repeat(15_000),
  stars: '*a_'.repeat(15_000),
  bullets: '- a\n'.repeat(10_000),
  ticks: '`'.repeat(40_000),
  named: { toolCalls: ['valueOf', 'toString'].map((id) => toolCall('balance', { account: 'A1' }, id)) },
  deep: { toolCalls: [{ ...toolCall('balance'), arguments: `{"account":${DEEP}}` }] },
  twice: { toolCalls: [{ ...toolCall('raw'), arguments: TWICE }] },
};

/** Reads the text of its arguments itself. */
class RawTool extends ToolCallback {
  override readonly toolDefinition = { name: 'raw', description: 'Pays', inputSchema: { type: 'object' } } as const;
  override readonly toolMetadata = { returnDirect: false, needsApproval: true };

  override async call(input: string): Promise<string> {
    return input;
  }
}

function hostileAnswerOf(prompt: { readonly messages: readonly Message[] }): string | ScriptedAnswer {
  const last = prompt.messages.at(-1)!;
  const isSlow = prompt.messages.some((message) => message.role === 'user' && message.text.includes('slow'));
  if (isSlow && last.role === 'tool') return { chunks: ['The ', 'slow ', 'end.'], delay: 300 };
  return ('text' in last && ANSWERS[String(last.text)]) || answerOf(prompt);
}

(CHROMIUM ? describe : describe.skip)('the page of the inspector, with bad luck', () => {
  let browser: Browser;
  let context: BrowserContext;
  let inspected: InspectedApplication;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    inspected = await InspectedApplication.start({
      chatModel: new ScriptedChatModel(hostileAnswerOf),
      providers: [BankTools, { provide: 'RAW', useValue: new StaticToolCallbackProvider(new RawTool()) }],
    });
  });
  afterEach(async () => {
    await close(context);
    await inspected.close();
  });

  const ask = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The turn runs…').waitFor({ state: 'hidden' });
  };

  it('goes on after answers and arguments that break parsers, also when it is loaded again', async () => {
    const { page, problems } = await open(context, inspected);
    for (const text of ['quotes', 'numbers', 'stars', 'ticks', 'deep']) await ask(page, text);
    await ask(page, 'Hello');
    await page.getByText('You said: Hello').last().waitFor();
    await page.reload();
    await page.getByText('You said: Hello').last().waitFor();
    expect(problems).toEqual([]);
  });

  it('shows the arguments of an approval as the tool gets them', async () => {
    const { page } = await open(context, inspected);
    await ask(page, 'twice');
    const shown = page
      .getByRole('region', { name: 'Calls that wait' })
      .getByRole('group', { name: 'Arguments of raw' });
    expect(await shown.textContent()).toBe(TWICE);
  });

  it('shows in the chat what another tab has decided, and what was stopped elsewhere', async () => {
    const { page } = await open(context, inspected);
    await ask(page, 'Please pay');
    const { page: other } = await open(context, inspected, '#/turns');
    await other.getByRole('link', { name: 'Please pay' }).click();
    await other.getByRole('button', { name: 'Approve pay' }).click();
    await page.getByText('The result is paid.').last().waitFor();
    await page.getByRole('button', { name: 'Approve pay' }).waitFor({ state: 'hidden' });
    await ask(page, 'Please pay');
    const [turn] = await inspected.turns();
    await inspected.json(`turns/${turn!.id}/stop`, {});
    await page.getByRole('button', { name: 'Approve pay' }).waitFor({ state: 'hidden' });
    await page.getByText('stopped').last().waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await ask(page, 'Please pay slow');
    await other.getByRole('link', { name: 'Please pay slow' }).click();
    await other.getByRole('button', { name: 'Deny pay' }).click();
    await page.getByRole('group', { name: 'Answer' }).last().getByText('The slow end.').waitFor();
    await page.getByText('1 tool call').last().click();
    await page.getByText('denied', { exact: true }).last().waitFor();
    expect(await page.getByText('approved', { exact: true }).count()).toBe(0);
  });

  it('draws of a thousand turns those in sight, and the last ones when one scrolls to them', async () => {
    const client = inspected.get(ChatClient);
    for (let at = 0; at < 60; at++) await client.prompt(`Question ${at}`).call().content();
    const { page } = await open(context, inspected);
    await page.route('**/api/turns?*', async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as { turns: { id: string }[] };
      const turns = Array.from({ length: 17 }, (_, copy) =>
        list.turns.map((turn) => ({ ...turn, id: `${turn.id}${copy}` })),
      );
      await route.fulfill({ json: { ...list, turns: turns.flat() } });
    });
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByLabel('Text', { exact: true }).fill('Question');
    const rows = page.locator('.list tbody tr');
    await page.getByRole('link', { name: 'Question 59' }).first().waitFor();
    expect(await rows.count()).toBeLessThan(200);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.locator('.list tbody:last-child tr:last-child').getByRole('link', { name: 'Question 0' }).waitFor();
    expect(await rows.count()).toBeLessThan(200);
  });

  it('shows an answer of thousands of bullets as plain text, and draws steps only when they are opened', async () => {
    const { page } = await open(context, inspected);
    await ask(page, 'bullets');
    const answer = page.getByRole('group', { name: 'Answer' });
    await page.getByRole('button', { name: 'Show all 40,000 characters' }).waitFor();
    expect(await answer.locator('li').count()).toBe(0);
    expect(await page.locator('.turn').count()).toBe(0);
    await page.getByText('1 model call, 0 tool calls').click();
    await page.getByRole('heading', { name: 'Model call 1' }).waitFor();
  });

  it('shows and changes results of calls whose ids are names of methods of every object', async () => {
    const { page } = await open(context, inspected);
    await ask(page, 'named');
    await page.getByText('2 model calls, 2 tool calls').click();
    await page
      .getByText(/^balance .* → /)
      .first()
      .click();
    await page.getByRole('button', { name: 'Change the result of balance' }).click();
    await page.getByLabel('New result of balance').fill('a million');
    await page.getByRole('button', { name: 'Go on with the changed results' }).click();
    await page.getByText('The result is a million, ').last().waitFor();
  });

  it('reads past the empty lines that keep a connection open', async () => {
    const { page } = await open(context, inspected);
    await page.route('**/api/chat', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `\n${(await response.text()).replaceAll('\n', '\n\n')}` });
    });
    await ask(page, 'Hello');
    await page.getByText('You said: Hello').last().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('leaves the focus where one types, whatever is open above', async () => {
    const { page } = await open(context, inspected);
    await ask(page, 'What is my balance?');
    await page.getByText('2 model calls, 1 tool call').click();
    await page.getByText(/^balance .* → /).click();
    await page.getByRole('button', { name: 'Change the result of balance' }).click();
    await page.getByLabel('New result of balance').fill('a million');
    await page.getByLabel('Message').fill('Hello');
    await page.keyboard.press('Enter');
    await page.getByText('You said: Hello').last().waitFor();
    await page.keyboard.type('and more');
    expect(await page.getByLabel('Message').inputValue()).toBe('and more');
    expect(await page.getByLabel('New result of balance').inputValue()).toBe('a million');
  });

  it('lets an approved call go on when its user looks at another turn', async () => {
    const { page } = await open(context, inspected);
    await ask(page, 'Hello');
    await ask(page, 'Please pay');
    await page.getByRole('link', { name: 'Turns' }).click();
    await page.getByRole('link', { name: 'Please pay' }).click();
    await page.getByRole('button', { name: 'Approve pay' }).click();
    await page.getByRole('link', { name: 'Hello' }).click();
    await page.getByRole('row', { name: /Please pay.*completed/ }).waitFor();
    expect(inspected.get(BankTools).paid).toHaveLength(1);
  });

  it('works in eight tabs at once, and goes on in the others when the first is closed', async () => {
    const pages: Page[] = [];
    for (let tab = 0; tab < 8; tab++) pages.push((await open(context, inspected, '#/turns')).page);
    await pages[0]!.close();
    await inspected.run('chat', { client: 'default', message: 'Hello', conversation: 'c1' });
    for (const page of pages.slice(1)) await page.getByRole('link', { name: 'Hello' }).waitFor();
  });

  it('opens with an address and with kept data that are no longer right', async () => {
    const { page, problems } = await open(context, inspected, '#/turns/%E0%A4');
    await page.getByRole('heading', { name: 'Turns' }).waitFor();
    for (const kept of ['null', '{"client":"default","ids":null}', '{', '[]']) {
      await page.evaluate(`sessionStorage.setItem('nestor-inspector-chat ', ${JSON.stringify(kept)})`);
      await page.goto('about:blank');
      await page.goto(inspected.address!);
      await ask(page, 'Hello');
      await page.getByText('You said: Hello').last().waitFor();
    }
    expect(problems).toEqual([]);
  });
});
