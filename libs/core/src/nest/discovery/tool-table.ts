import { placeOf, type ToolRegistration } from './tool-registration.js';

/** How many characters of a description a row contains. */
const MAX_DESCRIPTION = 60;

const HEADINGS = ['tool', 'from', 'module', 'takes', 'how', 'description'] as const;

/** The tools of the application as a text table. */
export function toolTable(tools: readonly ToolRegistration[]): string {
  if (tools.length === 0) return 'There are no tools.';
  const rows = [HEADINGS, ...tools.map(rowOf)];
  const widths = HEADINGS.map((_heading, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return [`${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`, ...lines].join('\n');
}

function rowOf({ name, description, moduleName, className, methodName, callback }: ToolRegistration): string[] {
  const { inputSchema } = callback.toolDefinition;
  const text = description.replaceAll(/\s+/g, ' ');
  return [
    name,
    placeOf(className, methodName),
    moduleName,
    Object.keys((inputSchema as { properties?: object }).properties ?? {}).join(', ') || '–',
    howOf(callback.toolMetadata) || '–',
    text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text,
  ];
}

/** The policies of a tool. */
function howOf(metadata: Partial<ToolRegistration['metadata']> = {}): string {
  const { returnDirect, sequential, needsApproval, timeout, retry, rateLimit, cacheTtl, concurrencyKey } = metadata;
  const { effect, untrusted, job } = metadata;
  return [
    needsApproval && 'approval',
    effect,
    untrusted && 'untrusted',
    returnDirect && 'direct',
    sequential && 'sequential',
    timeout !== undefined && `${timeout} ms`,
    retry && 'retry',
    rateLimit && `${rateLimit.calls} calls in ${rateLimit.interval} ms`,
    cacheTtl !== undefined && 'cached',
    concurrencyKey && 'one at a time',
    job && `job of ${job.queue}`,
  ]
    .filter(Boolean)
    .join(', ');
}
