/* Takes the pictures of the inspector for README and docs: npm run docs:inspector. Needs Chromium. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PORT = '3599';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const main = ['--import', './apps/from-sources.mjs', 'apps/assistant/src/main.ts'];
const app = spawn(process.execPath, main, {
  cwd: ROOT,
  env: { ...process.env, PORT },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let address;
for await (const line of createInterface({ input: app.stdout })) {
  [address] = /http:\S+\/ai\?token=[\w-]+/.exec(line) ?? [];
  if (address) break;
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
try {
  const page = await browser.newPage({ viewport: { width: 900, height: 640 } });
  await page.goto(address);
  await page.getByLabel('Message').fill('What is the weather in Paris?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('2 model calls, 1 tool call').click();
  await page.screenshot({ path: `${ROOT}docs/public/inspector-chat.png` });
  await page.getByRole('link', { name: 'Tools' }).click();
  await page.getByRole('button', { name: 'getWeather' }).click();
  await page.getByLabel(/^city/).fill('Paris');
  await page.getByRole('button', { name: 'Run getWeather' }).click();
  await page.getByRole('group', { name: 'Result', exact: true }).waitFor();
  await page.screenshot({ path: `${ROOT}docs/public/inspector-tools.png` });
} finally {
  await browser.close();
  app.kill();
  await once(app, 'exit');
}
