import type { Awaitable } from '../model/awaitable.js';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import type { ToolResult } from '../model/tool-result.js';
import type { ToolHandler } from './declaration/decorated-handler.js';
import type { ToolAround, ToolId, ToolMethodPlace, ToolRecord } from './tool-record.js';

/** The differences between a tool and the one that it is derived from. */
export interface ToolChanges {
  /** Replaces the definition of the base. */
  readonly definition?: ToolDefinition | undefined;
  readonly metadata?: ToolMetadata | undefined;
  /** Replaces the description. */
  readonly description?: string | undefined;
  readonly returnDirect?: boolean | undefined;
  readonly around?: ToolAround | undefined;
  /** Validates the arguments if the tool is offered with another schema. */
  readonly parse?: ToolRecord['parse'];
}

/** A variant of a tool with another description, other metadata or another way to call it. */
export class DerivedToolRecord implements ToolRecord {
  #definition: { readonly of: ToolDefinition; readonly derived: ToolDefinition } | undefined;
  #metadata: { readonly of: ToolMetadata; readonly derived: ToolMetadata } | undefined;

  constructor(
    readonly base: ToolRecord,
    private readonly changes: ToolChanges,
  ) {}

  get id(): ToolId {
    return this.base.id;
  }

  get origin(): string {
    return this.base.origin;
  }

  get method(): ToolMethodPlace | undefined {
    return this.base.method;
  }

  get handler(): ToolHandler | undefined {
    return this.base.handler;
  }

  get around(): ToolAround | undefined {
    return this.changes.around ?? this.base.around;
  }

  get parse(): ToolRecord['parse'] {
    const { base, changes } = this;
    return changes.parse ?? (base.parse && ((json, call) => base.parse!(json, call)));
  }

  get parseForeign(): ToolRecord['parse'] {
    const { base, changes } = this;
    return changes.parse ? undefined : base.parseForeign && ((json, call) => base.parseForeign!(json, call));
  }

  get begin(): ToolRecord['begin'] {
    const { base } = this;
    return base.begin && ((call) => base.begin!(call));
  }

  get definition(): ToolDefinition {
    const { definition = this.base.definition } = this.changes;
    const known = this.#definition;
    // A tool written in JavaScript may have no definition.
    if (known && known.of === definition) return known.derived;
    return (this.#definition = { of: definition, derived: this.described(definition) }).derived;
  }

  get metadata(): ToolMetadata {
    const { metadata = this.base.metadata } = this.changes;
    const known = this.#metadata;
    if (known && known.of === metadata) return known.derived;
    return (this.#metadata = { of: metadata, derived: this.labelled(metadata) }).derived;
  }

  /**
   * The definition of the tool. Only derived again when the base changes its own, so that all
   * requests share one object.
   */
  protected described(definition: ToolDefinition): ToolDefinition {
    const { description } = this.changes;
    return description === undefined ? definition : Object.freeze({ ...definition, description });
  }

  /** The metadata of the tool, derived like its definition. */
  protected labelled(metadata: ToolMetadata): ToolMetadata {
    const { returnDirect } = this.changes;
    return returnDirect === undefined ? metadata : Object.freeze({ ...metadata, returnDirect });
  }

  toArguments(input: unknown, context: ToolContext): readonly unknown[] {
    return this.base.toArguments(input, context);
  }

  run(input: unknown, context: ToolContext): unknown {
    return this.base.run(input, context);
  }

  convert(result: unknown): Awaitable<string | ToolResult> {
    return this.base.convert(result);
  }

  verify(): void {
    this.base.verify();
  }
}
