import { ToolCallback } from '../model/tool-callback.js';
import { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import type { ToolResult } from '../model/tool-result.js';
import { DerivedToolRecord } from './derived-tool-record.js';
import { CalledToolRecord, recordOf } from './record-of.js';
import { TOOL_RECORD, type ToolRecord } from './tool-record.js';
import { ToolRun } from './tool-run.js';

/** A `ToolCallback` that is backed by a record. */
export class RecordToolCallback extends ToolCallback {
  override readonly toolDefinition: ToolDefinition;
  override readonly toolMetadata: ToolMetadata;
  override readonly origin: string;
  /** The record that runs the tool. Takes into account that a subclass may override `call()`. */
  readonly [TOOL_RECORD]: ToolRecord;
  readonly #record: ToolRecord;

  constructor(record: ToolRecord) {
    super();
    this.#record = record;
    this[TOOL_RECORD] = this.call === RecordToolCallback.prototype.call ? record : new CalledToolRecord(this, record);
    this.toolDefinition = record.definition;
    this.toolMetadata = record.metadata;
    this.origin = record.origin;
    // The base tool may change its definition later.
    if (record.base) Object.defineProperties(this, describedBy(record));
  }

  override call(toolInput: string, context: ToolContext = new ToolContext()): Promise<string | ToolResult> {
    return new ToolRun(this.#record, toolInput, context).answer() as Promise<string | ToolResult>;
  }

  override verify(): void {
    this.#record.verify();
  }
}

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

function describedBy(record: ToolRecord): PropertyDescriptorMap {
  return {
    toolDefinition: { get: () => record.definition, enumerable: true },
    toolMetadata: { get: () => record.metadata, enumerable: true },
    origin: { get: () => record.origin, enumerable: true },
  };
}
