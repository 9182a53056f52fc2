import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installed } from '../../node-binaries.mjs';

const VERSION = '2.12.0';
const COMMAND = join('node_modules', '.bin', 'mcp-inspector');

/** What the CLI of the MCP inspector asks, and a text of the answer. */
const QUESTIONS = [
  { args: ['--method', 'tools/list'], answer: 'test_simple_text' },
  { args: ['--method', 'tools/call', '--tool-name', 'test_simple_text'], answer: 'This is a simple text response' },
  { args: ['--method', 'resources/list'], answer: 'test://static-text' },
  { args: ['--method', 'prompts/list'], answer: 'test_simple_prompt' },
];

/**
 * Asks a server with the CLI of the MCP inspector, which is installed the first time.
 *
 * @param node the Node.js that runs it
 * @returns a verdict for each question
 */
export async function askWithInspector(node, url, env) {
  const command = join(
    installed(`mcp-inspector-${VERSION}`, COMMAND, [`@modelcontextprotocol/inspector@${VERSION}`]),
    COMMAND,
  );
  const verdicts = [];
  for (const { args, answer } of QUESTIONS) {
    const child = spawn(node, [command, '--cli', url, '--transport', 'http', ...args], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    await once(child, 'close');
    const isGood = output.includes(answer);
    verdicts.push({ scenario: args.slice(1).join(' '), isGood, text: isGood ? 'answered' : output.slice(-2000) });
  }
  return verdicts;
}
