import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { InspectedApplication } from '../inspected-application.js';

/** Where Debian and others install Chromium. */
const PLACES = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium of this machine. Undefined if there is none. */
export const CHROMIUM: string | undefined = PLACES.find((path) => path !== undefined && existsSync(path));

/** How to get one. */
export const NO_CHROMIUM = 'there is no Chromium. Install it, such as with apt-get install chromium, or set CHROMIUM.';

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM!, args: FLAGS });
}

/** A page, and everything that must not happen on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors in scripts, refused resources, and requests to other servers. */
  readonly problems: readonly string[];
}

/** Opens the address that the application has logged. The browser refuses and reports what the content security policy forbids. */
export async function open(
  context: BrowserContext,
  { address = '', origin: server }: InspectedApplication,
  hash = '',
): Promise<WatchedPage> {
  // A page with guards has no address with a token.
  const url = address || `${server}/ai`;
  const { origin } = new URL(url);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(`error: ${message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:') && !request.url().startsWith('blob:'))
      problems.push(`request: ${request.url()}`);
  });
  await page.goto(url + hash);
  await page.getByRole('heading', { name: 'AI inspector' }).waitFor();
  return { page, problems };
}

/** Closes its pages. A request that a test has intercepted and that is under way must not fail the next test. */
export async function close(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}
