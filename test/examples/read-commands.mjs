/** Matches any text: what a README writes in the place of times and random ids. */
const ANY = '…';

/**
 * The commands in the `console` blocks of a README, each with the lines that it prints.
 *
 * @returns {{ command: string, expected: string[] }[]}
 */
export function readCommands(markdown) {
  const commands = [];
  for (const [, block] of markdown.matchAll(/^```console\n(.*?)^```$/gms)) {
    let isContinued = false;
    for (const line of block.trimEnd().split('\n')) {
      if (line.startsWith('$ ')) commands.push({ command: line.slice(2), expected: [] });
      else if (isContinued) commands.at(-1).command += `\n${line}`;
      else commands.at(-1).expected.push(line);
      isContinued = line.endsWith('\\');
    }
  }
  return commands;
}

/**
 * How the output of a command differs from its README. In the README, a line that is `…` stands
 * for any number of lines; within a line, `…` stands for any text.
 */
export function differences(command, expected, printed) {
  const pattern = expected.map((line) => (line === ANY ? '(?:.*\n)*?' : `${toPattern(line)}\n`)).join('');
  const output = `${printed.trim()}\n`;
  if (new RegExp(`^${pattern}$`).test(expected.length === 0 ? output.trim() : output)) return [];
  return [`$ ${command}`, 'has to print:', ...expected, 'but has printed:', output];
}

function toPattern(line) {
  return line
    .split(ANY)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
}
