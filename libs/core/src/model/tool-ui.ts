/**
 * What a browser may see of the calls of a tool: their arguments, their results, neither or both.
 */
export type ToolUi = 'none' | 'input' | 'result' | 'all';

export const TOOL_UIS = ['none', 'input', 'result', 'all'] as const satisfies readonly ToolUi[];

export function showsInput(ui: ToolUi): boolean {
  return ui === 'all' || ui === 'input';
}

export function showsResult(ui: ToolUi): boolean {
  return ui === 'all' || ui === 'result';
}

/** The parts that both settings show. */
export function commonUi(one: ToolUi, other: ToolUi): ToolUi {
  if (one === other || other === 'all') return one;
  return one === 'all' ? other : 'none';
}
