import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import { DEFAULT_TOOL_METADATA, type ToolMetadata } from '../model/tool-metadata.js';
import type { ToolResult } from '../model/tool-result.js';
import { DerivedToolRecord } from './derived-tool-record.js';
import type { ToolHandler } from './declaration/decorated-handler.js';
import { checkPolicies } from './policies.js';
import { toToolResult } from './result/to-tool-result.js';
import { TOOL_RECORD, type ToolId, type ToolMethodPlace, type ToolRecord } from './tool-record.js';

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
  const record =
    own && !Object.hasOwn(callback, 'call')
      ? new DerivedToolRecord(own, { definition: callback.toolDefinition, metadata: callback.toolMetadata })
      : new CalledToolRecord(callback, own);
  adapted.set(callback, record);
  return record;
}

function describes({ definition, metadata }: ToolRecord, callback: ToolCallback): boolean {
  return definition === callback.toolDefinition && metadata === callback.toolMetadata;
}

/**
 * A tool that runs through its `call()`, parses its arguments itself and may change its definition
 * at any time: a custom `ToolCallback`, or one of our tools whose `call()` was overridden, by a
 * subclass or a spy. Ours remains the same tool.
 */
export class CalledToolRecord implements ToolRecord {
  /** `call()` runs the base tool, and the container's part with it. */
  readonly around = undefined;
  readonly #ownId: ToolId | undefined;

  constructor(
    private readonly callback: ToolCallback,
    readonly base: ToolRecord | undefined,
  ) {
    if (!base) this.#ownId = { owner: callback, name: callback.toolDefinition?.name };
  }

  get id(): ToolId {
    return this.#ownId ?? this.base!.id;
  }

  get origin(): string {
    return this.callback.origin;
  }

  get method(): ToolMethodPlace | undefined {
    return this.base?.method;
  }

  get handler(): ToolHandler | undefined {
    return this.base?.handler;
  }

  get definition(): ToolDefinition {
    return this.callback.toolDefinition;
  }

  get metadata(): ToolMetadata {
    return this.callback.toolMetadata ?? DEFAULT_TOOL_METADATA;
  }

  /** A schema of a stranger is checked before `call()` reads the arguments by it. */
  get parseForeign(): ToolRecord['parse'] {
    const { base } = this;
    if (!base?.parseForeign) return undefined;
    return async (json, call) => {
      await base.parseForeign!(json, call);
      return json;
    };
  }

  toArguments(input: unknown, context: ToolContext): readonly unknown[] {
    return [input, context];
  }

  run(input: unknown, context: ToolContext): unknown {
    return this.callback.call(typeof input === 'string' ? input : JSON.stringify(input), context);
  }

  convert(result: unknown): string | ToolResult {
    return typeof result === 'string' ? result : toToolResult(result);
  }

  verify(): void {
    checkPolicies(this.metadata);
    this.callback.verify?.();
  }
}
