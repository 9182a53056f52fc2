import type { ToolCallback } from '../../model/tool-callback.js';
import { DerivedToolRecord, type ToolChanges } from '../../tool/derived-tool-record.js';
import { RecordToolCallback } from '../../tool/record-tool-callback.js';
import { recordOf } from '../../tool/record-of.js';

/** A tool with the changes from the configuration. */
export class ConfiguredTool extends RecordToolCallback {
  constructor(
    /** The tool without these changes. */
    readonly original: ToolCallback,
    changes: ToolChanges,
  ) {
    super(new DerivedToolRecord(recordOf(original), changes));
  }
}
