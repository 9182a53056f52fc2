/*
 * `npm run docs:terminal` runs `npm start -- --once` and draws its output for README, as
 * docs/public/terminal.svg. The window is dark, so the picture is readable on light and dark pages.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
const FILE = new URL('docs/public/terminal.svg', ROOT);
const COMMAND = ['start', '--', '--once'];
const COLUMNS = 96;
/** Pixels of a character and of a line. */
const [CHARACTER, LINE] = [8.43, 20];
const [LEFT, TOP] = [20, 64];

const STYLE = `
  .window { fill: #0d1117; stroke: #3d444d }
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; fill: #e6edf3 }
  .command { fill: #7ee787; font-weight: 600 }
  .question { fill: #79c0ff; font-weight: 600 }
  .step { fill: #9198a1 }`;

/** Breaks a line at spaces, and within a word that is longer than a line. */
function wrap(line) {
  if (line.length <= COLUMNS) return [line];
  const space = line.lastIndexOf(' ', COLUMNS);
  const at = space > 0 ? space : COLUMNS;
  return [line.slice(0, at), ...wrap(line.slice(at).trimStart())];
}

function classOf(line) {
  if (line.startsWith('$ ')) return 'command';
  if (line.startsWith('> ')) return 'question';
  return line.startsWith('  ') ? 'step' : 'answer';
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

// The picture shows what everybody sees first, so no setting of this machine may choose a model.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AI_')));
const output = execFileSync('npm', ['--silent', ...COMMAND], { cwd: fileURLToPath(ROOT), env, encoding: 'utf8' });
const lines = [`$ npm ${COMMAND.join(' ')}`, ...output.trimEnd().split('\n')].flatMap((line) =>
  wrap(line).map((text) => ({ text, style: classOf(line) })),
);

const width = Math.ceil(2 * LEFT + COLUMNS * CHARACTER);
const height = TOP + lines.length * LINE;
const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
  '<title>npm start: two questions answered through tool calls</title>',
  `<style>${STYLE}\n</style>`,
  `<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
  ...['#ff5f57', '#febc2e', '#28c840'].map((fill, at) => `<circle cx="${24 + at * 20}" cy="24" r="6" fill="${fill}"/>`),
  ...lines.map(({ text, style }, at) => {
    const indent = text.length - text.trimStart().length;
    const [x, y] = [LEFT + indent * CHARACTER, TOP + at * LINE];
    return `<text class="${style}" x="${x}" y="${y}">${escape(text.trimStart())}</text>`;
  }),
  '</svg>',
  '',
];
writeFileSync(FILE, svg.join('\n'));
