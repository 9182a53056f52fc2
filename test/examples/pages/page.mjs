import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from 'happy-dom';

const TIMEOUT = 20_000;

/** A page with its scripts, and what a user does with it. */
export async function openPage(url) {
  const browser = new Browser({
    settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
  });
  const page = browser.newPage();
  await page.goto(url);
  await page.waitUntilComplete();
  const { window } = page.mainFrame;
  const text = () => window.document.body.textContent.replaceAll(/\s+/g, ' ');
  const findButton = (label) =>
    [...window.document.querySelectorAll('button')].find((button) => button.textContent.trim() === label);
  const until = async (isDone, what) => {
    for (const end = Date.now() + TIMEOUT; !isDone(); await pause(20)) {
      if (Date.now() > end) throw new Error(`The page does not show ${what}. It shows: ${text()}`);
    }
  };
  return {
    shows: (wanted) => until(() => text().includes(wanted), `'${wanted}'`),
    hides: (unwanted) => until(() => !text().includes(unwanted), `that '${unwanted}' has gone`),
    async click(label) {
      await until(() => findButton(label), `the button '${label}'`);
      findButton(label).click();
    },
    choose(selector, value) {
      const select = window.document.querySelector(selector);
      select.value = value;
      select.dispatchEvent(new window.Event('change', { bubbles: true }));
    },
    async close() {
      // A page that is closed while it still asks the server would end this process.
      await page.waitUntilComplete();
      await browser.close();
    },
  };
}
