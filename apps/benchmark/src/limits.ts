/*
 * Every limit of the benchmark in one go: `npm run bench:limits`. Runs the commands one after the other,
 * prints whether each limit is met, and writes results/limits.md. `-- nest wire` runs some of them.
 * Takes about half an hour, on a machine that does nothing else.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { targetLines } from './report/targets.js';
import type { Results } from './results.js';

const COMMANDS = ['way', 'counts', 'nest', 'declarations', 'plugin', 'inspector', 'telemetry', 'mcp', 'wire'];
const VERDICT = /\((?:limit|target|at most|at least) .*(met|not met)\**\)/i;
const RESULTS = new URL('../results/', import.meta.url);

/** What a command prints about its limits. A command without such lines tells by its exit code. */
async function limitsOf(command: string): Promise<readonly string[]> {
  const child = spawn('npm', ['run', '--silent', `bench:${command}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const found = output.split('\n').filter((line) => VERDICT.test(line));
  if (found.length > 0) return found.map((line) => line.trim());
  const last = output.trim().split('\n').at(-1) ?? '';
  return [`${last} (limit: ${child.exitCode === 0 ? 'met' : 'NOT MET'})`];
}

/** The targets of `npm run bench`, from its last results. */
function targetsOfLastRun(): readonly string[] {
  const file = new URL('results.json', RESULTS);
  if (!existsSync(file)) return [];
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return targetLines(results).map((line) => line.replace(/^- /, ''));
}

const given = process.argv.slice(2);
const page = [
  '# The limits of the benchmark',
  '',
  `\`npm run bench:limits\` wrote this page, with Node ${process.version}.`,
];
let missed = 0;
function tell(title: string, lines: readonly string[]): void {
  page.push('', `## ${title}`, '');
  for (const line of lines) {
    if (/not met/i.test(line)) missed++;
    console.log(`${title}: ${line}`);
    page.push(`- ${line}`);
  }
}

for (const command of given.length > 0 ? given : COMMANDS) tell(`bench:${command}`, await limitsOf(command));
if (given.length === 0) {
  tell('bench, at its last run', targetsOfLastRun());
  writeFileSync(new URL('limits.md', RESULTS), `${page.join('\n')}\n`);
}
console.log(missed === 0 ? 'All limits are met.' : `${missed} limits are not met.`);
if (missed > 0) process.exitCode = 1;
