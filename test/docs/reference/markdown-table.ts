/** A Markdown table. Cells may have several lines. Prettier leaves it alone, since it would pad every cell. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(inCell).join(' | ')} |`);
  return ['<!-- prettier-ignore-start -->', '', ...lines, '', '<!-- prettier-ignore-end -->'].join('\n');
}

/** Text as code. */
export function code(text: string): string {
  return `\`${text}\``;
}

function inCell(text: string): string {
  return text
    .trim()
    .replaceAll('|', String.raw`\|`)
    .replace(/\s*\n\s*/g, ' ');
}
