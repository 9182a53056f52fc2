/* Tables as Markdown has them, and figures as people read them. */
import type { Figure } from '../results.js';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_cell, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Three digits, as far as they say something. */
export function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  if (value >= 10) return value.toFixed(1);
  // Next to one, it is the third digit that counts.
  if (value > 0.9 && value < 1.1) return value.toFixed(3);
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}

/** The median; a dash for what was not measured. */
export function middle(figure: Figure | undefined, factor = 1): string {
  return figure ? digits(figure.median * factor) : '–';
}

/** The median, and in brackets the least and the most. */
export function spread(figure: Figure | undefined): string {
  if (!figure) return '–';
  return `${digits(figure.median)}× (${digits(figure.least)}–${digits(figure.most)})`;
}
