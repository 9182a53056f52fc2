import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import { DEFAULT_TOOL_METADATA, type ToolMetadata } from '../model/tool-metadata.js';
import type { ToolResult } from '../model/tool-result.js';
import { DerivedToolRecord } from './derived-tool-record.js';
import { checkPolicies } from './policies.js';
import { toToolResult } from './result/to-tool-result.js';
import { TOOL_RECORD, type ToolId, type ToolRecord } from './tool-record.js';

// Stored outside, because the tool is not our object and may be frozen.
const adapted = new WeakMap<ToolCallback, ToolRecord>();

/**
 * The current record of a tool. Its definition, metadata or `call()` may have been replaced since.
 */
export function recordOf(callback: ToolCallback): ToolRecord {
  const { [TOOL_RECORD]: own } = callback as { [TOOL_RECORD]?: ToolRecord };
  if (own && describes(own, callback) && !Object.hasOwn(callback, 'call')) return own;
  const known = adapted.get(callback);
  if (known && (!own || describes(known, callback))) return known;
  const record = own ? adaptedRecord(own, callback) : new ForeignToolRecord(callback);
  adapted.set(callback, record);
  return record;
}

function describes({ definition, metadata }: ToolRecord, callback: ToolCallback): boolean {
  return definition === callback.toolDefinition && metadata === callback.toolMetadata;
}

function adaptedRecord(own: ToolRecord, callback: ToolCallback): ToolRecord {
  const changes = { definition: callback.toolDefinition, metadata: callback.toolMetadata };
  return Object.hasOwn(callback, 'call')
    ? new OwnCallRecord(own, callback, changes)
    : new DerivedToolRecord(own, changes);
}

/**
 * One of our tools whose `call()` was overridden, by a subclass or a spy. It runs through `call()`
 * but remains the same tool.
 */
export class OwnCallRecord extends DerivedToolRecord {
  constructor(
    base: ToolRecord,
    private readonly callback: ToolCallback,
    changes: { readonly definition?: ToolDefinition; readonly metadata?: ToolMetadata } = {},
  ) {
    super(base, changes);
  }

  override get parse(): undefined {
    return undefined;
  }

  override get begin(): undefined {
    return undefined;
  }

  /** `call()` runs the base tool, and the container's part with it. */
  override get around(): undefined {
    return undefined;
  }

  override run(input: unknown, context: ToolContext): unknown {
    return this.callback.call(input as string, context);
  }

  override convert(result: unknown): string | ToolResult {
    return typeof result === 'string' ? result : toToolResult(result);
  }
}

/**
 * A custom `ToolCallback`. It parses its arguments itself and may change its definition at any
 * time.
 */
class ForeignToolRecord implements ToolRecord {
  readonly id: ToolId;
  readonly method = undefined;
  readonly handler = undefined;
  readonly base = undefined;
  readonly around = undefined;

  constructor(private readonly callback: ToolCallback) {
    this.id = { owner: callback, name: callback.toolDefinition?.name };
  }

  get origin(): string {
    return this.callback.origin;
  }

  get definition(): ToolDefinition {
    return this.callback.toolDefinition;
  }

  get metadata(): ToolMetadata {
    return this.callback.toolMetadata ?? DEFAULT_TOOL_METADATA;
  }

  toArguments(input: unknown, context: ToolContext): readonly unknown[] {
    return [input, context];
  }

  run(input: unknown, context: ToolContext): unknown {
    return this.callback.call(input as string, context);
  }

  convert(result: unknown): string | ToolResult {
    return typeof result === 'string' ? result : toToolResult(result);
  }

  verify(): void {
    checkPolicies(this.metadata);
    this.callback.verify?.();
  }
}
