import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import { commonUi, TOOL_UIS, type ToolUi } from '../model/tool-ui.js';
import { recordOf } from './record-of.js';
import { baseOf, type ToolRecord } from './tool-record.js';

/** What a browser may see of a tool's calls. Undefined if the tool does not declare it. */
export function uiOfRecord(record: ToolRecord): ToolUi | undefined {
  const own = readUi(record.metadata);
  if (!record.base) return own;
  // What the base tool hides stays hidden.
  return strictestUi(own, readUi(baseOf(record).metadata));
}

/** Like {@link uiOfRecord}. Shows nothing of a tool that cannot be read. */
export function uiOfTool(callback: ToolCallback): ToolUi | undefined {
  try {
    return uiOfRecord(recordOf(callback));
  } catch {
    return 'none';
  }
}

/** The parts that both settings show, if they are set. */
export function strictestUi(one: ToolUi | undefined, other: ToolUi | undefined): ToolUi | undefined {
  return one && other ? commonUi(one, other) : (one ?? other);
}

/** Treat an unknown value as `none`: it was probably meant to hide something. */
function readUi({ ui }: ToolMetadata): ToolUi | undefined {
  return ui === undefined || isToolUi(ui) ? ui : 'none';
}

function isToolUi(ui: unknown): ui is ToolUi {
  return TOOL_UIS.some((known) => known === ui);
}
