import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import { DerivedToolRecord } from './derived-tool-record.js';
import { recordOf } from './record-of.js';
import { RecordToolCallback } from './record-tool-callback.js';

/**
 * The same tool with other metadata for one request, such as a tool that needs approval this time.
 * Its guards, validation and code stay the same.
 *
 * @example
 * chatClient.prompt(question).tools(deriveToolCallback(tool, { needsApproval: true }));
 */
export function deriveToolCallback(tool: ToolCallback, metadata: Partial<ToolMetadata>): ToolCallback {
  const record = recordOf(tool);
  const changed = Object.freeze({ ...record.metadata, ...metadata });
  return new RecordToolCallback(new DerivedToolRecord(record, { metadata: changed }));
}
