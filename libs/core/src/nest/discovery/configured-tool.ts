import type { ToolCallback } from '../../model/tool-callback.js';
import { DerivedToolRecord, type ToolChanges } from '../../tool/derived-tool-record.js';
import { RecordToolCallback } from '../../tool/record-tool-callback.js';
import { recordOf } from '../../tool/record-of.js';

/** A tool as the configuration describes it. */
export class ConfiguredTool extends RecordToolCallback {
  constructor(
    /** The tool as it declares itself. */
    readonly original: ToolCallback,
    changes: ToolChanges,
  ) {
    super(new DerivedToolRecord(recordOf(original), changes));
  }
}
