import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ScriptedChatModel } from '@nestor-ai/testing';
import type { Browser, Page } from 'playwright-core';
import { InspectedApplication } from '../inspected-application.js';
import { answerOf, BankTools } from './bank.js';
import { CHROMIUM, launch, open } from './browser.js';

jest.setTimeout(60_000);

const AXE = readFileSync(createRequire(`${process.cwd()}/package.json`).resolve('axe-core/axe.min.js'), 'utf8');

(CHROMIUM ? describe : describe.skip)('the inspector for everybody', () => {
  let browser: Browser;
  let inspected: InspectedApplication;

  beforeAll(async () => {
    browser = await launch();
    inspected = await InspectedApplication.start({
      chatModel: new ScriptedChatModel(answerOf),
      providers: [BankTools],
      ai: { memory: true },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await inspected?.close();
  });

  const ask = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };

  it.each(['light', 'dark'] as const)(
    'has no violations that axe finds, and fits 360 pixels (%s)',
    async (colorScheme) => {
      // Only the tests may put a script into the page.
      const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme, bypassCSP: true });
      const { page } = await open(context, inspected);
      await ask(page, 'What is my balance? '.repeat(20) + 'x'.repeat(200));
      await page.getByText('2 model calls, 1 tool call').click();
      await page.getByText(/^balance .* → /).click();
      await page.getByText('Save as test').click();
      await page.getByRole('button', { name: 'Try the test' }).click();
      await page.getByText('passes').waitFor();
      await check(page, `chat-${colorScheme}`);
      await ask(page, 'Please book');
      await page.getByText('Which seat?').waitFor();
      await page.getByRole('link', { name: 'Turns' }).click();
      await page.getByRole('link', { name: 'Please book' }).first().waitFor();
      await check(page, `turns-${colorScheme}`);
      await page.getByRole('link', { name: 'Please book' }).first().click();
      await page.getByRole('button', { name: 'Answer book' }).waitFor();
      await check(page, `turn-${colorScheme}`);
      await page.getByRole('link', { name: 'Conversations' }).click();
      await page
        .getByRole('link', { name: /^inspector:/ })
        .first()
        .click();
      await page.getByRole('article').first().waitFor();
      await check(page, `conversation-${colorScheme}`);
      await page.getByRole('link', { name: 'Tools' }).click();
      await page.getByRole('link', { name: 'pay', exact: true }).click();
      await page.getByRole('form', { name: 'Run pay' }).waitFor();
      await check(page, `tool-${colorScheme}`);
      await page.goBack();
      await page.getByText('What would the model see?').click();
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText(/5 tools, about \d+ tokens:/).waitFor();
      await check(page, `tools-${colorScheme}`);
    },
  );

  /** Axe, and no scrolling to the side. Pictures go to the folder of INSPECTOR_PICTURES. */
  async function check(page: Page, name: string): Promise<void> {
    const pictures = process.env['INSPECTOR_PICTURES'];
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    }
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const { violations: found } = await axe.run();
      return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
    });
    expect(violations).toEqual([]);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
  }
});
