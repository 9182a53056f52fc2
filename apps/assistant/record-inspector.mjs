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
  // Turns of earlier starts are not in the pictures.
  env: { ...process.env, NODE_ENV: 'test', PORT },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let address;
for await (const line of createInterface({ input: app.stdout })) {
  [address] = /http:\S+\/ai\?token=[\w-]+/.exec(line) ?? [];
  if (address) break;
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
try {
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
  ])
    for (const theme of ['light', 'dark']) await record(`${width > 400 ? '' : '-360'}-${theme}`, width, height, theme);
} finally {
  await browser.close();
  app.kill();
  await once(app, 'exit');
}

/** Asks, and takes a picture of each view. */
async function record(name, width, height, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  const picture = (view) => page.screenshot({ path: `${ROOT}docs/public/inspector-${view}${name}.png` });
  const ask = async (text) => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The turn runs…').waitFor({ state: 'hidden' });
  };
  await page.goto(address);
  await ask('What is the weather in Atlantis?');
  await ask('Can you set an alarm 10 minutes from now?');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await ask('What is the weather in Paris?');
  await ask('Delete customer 43');
  await picture('chat');
  await page.getByRole('link', { name: 'Turns' }).click();
  await page.getByRole('link', { name: 'What is the weather in Paris?' }).first().click();
  await page.getByRole('table', { name: 'Timeline' }).getByRole('button', { name: 'getWeather' }).click();
  await page.mouse.move(0, 0);
  await picture('turns');
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('link', { name: 'getWeather' }).click();
  await page.getByLabel(/^city/).fill('Paris');
  await page.getByRole('button', { name: 'Run getWeather' }).click();
  await page.getByRole('group', { name: 'Result', exact: true }).waitFor();
  await picture('tools');
  await context.close();
}
