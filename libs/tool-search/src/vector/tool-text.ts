import type { ToolReference } from '../tool-index/tool-index.js';
import { parameterTextsOf } from '../words/parameter-texts.js';

/** The number of characters to embed. Encoders represent long texts less precisely. */
const LONGEST = { summary: 800, parameters: 300 } as const;

/**
 * The text to embed for a tool: the words of its name, its description, the names of its
 * parameters.
 */
export function textOfTool({ toolName, summary = '', inputSchema }: ToolReference): string {
  const about = `${spaced(toolName)}. ${summary.trim()}`.slice(0, LONGEST.summary);
  const parameters = parameterTextsOf(inputSchema).names.map(spaced).join(', ').slice(0, LONGEST.parameters);
  return `${about} ${parameters}`.trim();
}

/** Splits an identifier into words: `getHTTPStatus_v2` becomes `get HTTP Status v2`. */
function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_\-./:\s]+/g, ' ')
    .trim();
}
