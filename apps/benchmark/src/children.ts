/* Measurements are made in processes of their own, which tell their results in one line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MARK = 'RESULT ';
/** No measurement takes longer; what does hangs. */
const LIMIT = 300_000;

/** Nobody phones home while it is measured. */
export const ENVIRONMENT = {
  NODE_ENV: 'production',
  MASTRA_TELEMETRY_DISABLED: '1',
  LANGSMITH_TRACING: 'false',
  LANGCHAIN_TRACING_V2: 'false',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
};

/** Called by the child, once. */
export function printResult(result: object): void {
  process.stdout.write(`\n${MARK}${JSON.stringify(result)}\n`);
}

/**
 * Runs a script beside this one, and gives what it printed.
 *
 * @param script relative to this file
 * @throws Error with what it wrote to stderr when it gave no result
 */
export async function measureInChild<T>(
  script: string,
  args: readonly string[] = [],
  flags = ['--expose-gc'],
): Promise<T> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [...flags, file, ...args], {
    env: { ...process.env, ...ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT,
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const result = readResult<T>(stdout);
  if (result === undefined || child.exitCode !== 0) {
    const how = child.signalCode ? `was ended by ${child.signalCode}` : `ended with ${child.exitCode}`;
    throw new Error(`${script} ${args.join(' ')} gave no result: it ${how}.\n${stderr.slice(-2000)}`);
  }
  return result;
}

/** What {@link printResult} has written; undefined when that is not there yet. */
export function readResult<T>(output: string): T | undefined {
  // Only what ends with its line is all there.
  const line = output
    .split('\n')
    .slice(0, -1)
    .findLast((one) => one.startsWith(MARK));
  return line ? (JSON.parse(line.slice(MARK.length)) as T) : undefined;
}
