/*
 * Follows the README of each example: starts the application with the built packages, runs the
 * commands, compares the output, and clicks through the page if there is one. Ends with status 1 when something differs. Run
 * `npm run build:libs` first.
 *
 * `node test/examples/run.mjs [NAME…]` runs some of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '../free-port.mjs';
import { openPage } from './pages/page.mjs';
import { differences, readCommands } from './read-commands.mjs';

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url));
const PAGES = readdirSync(new URL('pages/', import.meta.url));
/** How many run at a time: starting one is mostly compiling it. */
const AT_A_TIME = 2;
const START = 'npm start';
const START_TIMEOUT = 120_000;
const COMMANDS_TIMEOUT = 60_000;
const MARK = '=====next command=====';

async function runExample(name) {
  const cwd = `${FOLDER}${name}`;
  const commands = readCommands(readFileSync(`${cwd}/README.md`, 'utf8'));
  const port = await freePort();
  const server = commands.find(({ command }) => command === START);
  const others = commands.filter((command) => command !== server);
  if (!server || others.length === 0) return [`README.md has no 'npm start' or no command beside it`];

  const application = start('npm', ['start', '--silent'], cwd, { PORT: String(port) });
  const problems = [];
  try {
    await application.says('Nest application successfully started', START_TIMEOUT);
    const script = others.map(({ command }) => `${command}\nprintf '\\n%s\\n' '${MARK}'\n`).join('');
    const shell = start('bash', ['-c', script.replaceAll('localhost:3000', `localhost:${port}`)], cwd, {});
    await shell.ended(COMMANDS_TIMEOUT);
    const outputs = shell.output().split(MARK);
    for (const [index, { command, expected }] of others.entries()) {
      problems.push(...differences(command, expected, outputs[index] ?? ''));
    }
    if (PAGES.includes(`${name}.mjs`)) await usePage(name, `http://localhost:${port}/`);
    for (const line of server.expected) {
      if (!application.output().includes(line)) problems.push(`${START} does not print: ${line}`);
    }
  } catch (error) {
    problems.push(error.message);
  }
  await application.stop();
  return problems.length === 0 ? [] : [...problems, 'The application has printed:', application.output()];
}

/** Clicks through the page of an example. */
async function usePage(name, url) {
  const { usePage } = await import(`./pages/${name}.mjs`);
  const page = await openPage(url);
  try {
    await usePage(page);
  } finally {
    await page.close();
  }
}

/** A process with a group of its own: `npm` and the Nest CLI start others. */
function start(command, args, cwd, env) {
  const withoutModel = Object.entries(process.env).filter(([key]) => !key.startsWith('AI_'));
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: { ...Object.fromEntries(withoutModel), NO_COLOR: '1', ...env },
  });
  let output = '';
  let isOver = false;
  const closed = once(child, 'close').then(() => (isOver = true));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += stripVTControlCharacters(text)));
  }
  const kill = (signal) => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  const until = async (isDone, timeout, what) => {
    for (const end = Date.now() + timeout; !isDone(); await pause(50)) {
      if (isOver || Date.now() > end) throw new Error(`${command} ${args[0]} ${what}`);
    }
  };
  return {
    output: () => output,
    says: (text, timeout) => until(() => output.includes(text), timeout, `did not print '${text}'`),
    async ended(timeout) {
      try {
        await until(() => isOver, timeout, `did not end within ${timeout / 1000} s`);
      } finally {
        kill('SIGKILL');
      }
    },
    async stop() {
      kill('SIGTERM');
      await Promise.race([closed, pause(10_000)]);
      kill('SIGKILL');
      await closed;
    },
  };
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const names = readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}${name}/package.json`));
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`There is no example '${unknown}'. Examples: ${names.join(', ')}.`);
const queue = wanted.length > 0 ? wanted : names;

async function work() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const begin = Date.now();
    const problems = await runExample(name);
    const seconds = ((Date.now() - begin) / 1000).toFixed(1);
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    for (const problem of problems) console.log(problem.replaceAll(/^/gm, '  '));
    if (problems.length > 0) process.exitCode = 1;
  }
}

await Promise.all(Array.from({ length: AT_A_TIME }, work));
