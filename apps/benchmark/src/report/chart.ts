/* Two measurements as a chart, for README. */
import { figureOf, type Results } from '../results.js';
import { digits } from './tables.js';

const PANELS = [
  { job: 'a', title: 'One tool call, then the answer' },
  { job: 'd', title: 'An answer streamed in 2,000 chunks' },
] as const;
const WIDTH = 880;
const LABELS = 240;
const PANEL = (WIDTH - LABELS) / PANELS.length;
/** Room for the figure behind the longest bar. */
const LONGEST = PANEL - 90;
const HEAD = 66;
const ROW = 26;

const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
  .card { fill: #ffffff; stroke: #d1d9e0 }
  .head { font-weight: 600 }
  .note { fill: #59636e; font-size: 12px }
  .bar { fill: #8c959f }
  .ours { fill: #e0234e }
  .name { font-weight: 700 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .card { fill: #0d1117; stroke: #3d444d }
    .note { fill: #9198a1 }
    .bar { fill: #6e7681 }
    .ours { fill: #f85149 }
  }`;

/** The chart as SVG. It has a background of its own, so it is readable on any page. */
export function chart({ turns, contestants, node }: Results): string {
  const ids = Object.keys(turns['a'] ?? {});
  const height = HEAD + ids.length * ROW + 40;
  const labels = ids.map((id, row) => {
    const name = contestants[id]?.name ?? id;
    return `<text x="20" y="${baseline(row)}"${id === 'nestor' ? ' class="name"' : ''}>${escape(name)}</text>`;
  });
  const panels = PANELS.flatMap(({ job, title }, at) => {
    const left = LABELS + at * PANEL;
    const times = ids.map((id) => figureOf(turns[job]?.[id], ({ total }) => total)?.median);
    const lengthOf = scaleOf(times.filter((time) => time !== undefined));
    return [
      `<text class="head" x="${left}" y="50">${escape(title)}</text>`,
      ...times.map((time, row) => (time === undefined ? '' : bar(ids[row]!, left, row, lengthOf(time), time))),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    '<title>Time that each framework adds to a turn</title>',
    `<style>${STYLE}\n</style>`,
    `<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    '<text class="head" x="20" y="26">Time the framework adds, without the model (shorter is better)</text>',
    ...labels,
    ...panels.filter((line) => line !== ''),
    `<text class="note" x="20" y="${height - 16}">Logarithmic scale. Medians, Node.js ${escape(node)}.</text>`,
    '</svg>',
    '',
  ].join('\n');
}

const baseline = (row: number): number => HEAD + row * ROW + 15;

function bar(id: string, left: number, row: number, length: number, time: number): string {
  const ours = id.startsWith('nestor');
  return [
    `<rect class="${ours ? 'ours' : 'bar'}" x="${left}" y="${HEAD + row * ROW}" width="${length}" height="18" rx="3"/>`,
    `<text x="${left + length + 8}" y="${baseline(row)}">${inUnits(time)}</text>`,
  ].join('');
}

/** Each factor of ten has the same length; the shortest bar still shows. */
function scaleOf(times: readonly number[]): (time: number) => number {
  const [least, most] = [Math.log10(Math.min(...times)), Math.log10(Math.max(...times))];
  const shortest = 12;
  return (time) => {
    const share = most > least ? (Math.log10(time) - least) / (most - least) : 1;
    return Math.round(shortest + share * (LONGEST - shortest));
  };
}

const inUnits = (time: number): string => (time < 1000 ? `${digits(time)} µs` : `${digits(time / 1000)} ms`);

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
