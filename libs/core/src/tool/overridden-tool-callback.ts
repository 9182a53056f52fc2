import { runsWithRunner, STANDS_FOR, ToolCallback } from '../model/tool-callback.js';
import { RUNS_WITH_RUNNER, type ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import type { ToolResult } from '../model/tool-result.js';

/** What is said of a tool in another place than its declaration. */
export interface ToolOverride {
  readonly description?: string | undefined;
  readonly returnDirect?: boolean | undefined;
}

/** A tool that is described or treated in another way than it says itself. */
export class OverriddenToolCallback extends ToolCallback {
  declare readonly toolDefinition: ToolDefinition;
  declare readonly toolMetadata: ToolMetadata;
  declare readonly origin: string;

  constructor(
    /** The tool as it says itself. */
    readonly original: ToolCallback,
    { description, returnDirect }: ToolOverride,
  ) {
    super();
    // Made anew only when the original describes itself anew: a definition is one object for all requests.
    const definition = derived(
      () => original.toolDefinition,
      (own): ToolDefinition => (description === undefined ? own : Object.freeze({ ...own, description })),
    );
    const metadata = derived(
      () => original.toolMetadata,
      (own): ToolMetadata => (returnDirect === undefined ? own : Object.freeze({ ...own, returnDirect })),
    );
    Object.defineProperties(this, {
      toolDefinition: { get: definition, enumerable: true },
      toolMetadata: { get: metadata, enumerable: true },
      origin: { get: () => original.origin, enumerable: true },
    });
  }

  get [RUNS_WITH_RUNNER](): unknown {
    return runsWithRunner(this.original) ? OverriddenToolCallback.prototype.call : undefined;
  }

  get [STANDS_FOR](): ToolCallback {
    return this.original;
  }

  override call(toolInput: string, context?: ToolContext): Promise<string | ToolResult> {
    return this.original.call(toolInput, context);
  }

  override verify(): void {
    this.original.verify?.();
  }
}

function derived<T extends object>(read: () => T, derive: (own: T) => T): () => T {
  let of: T | undefined;
  let made: T;
  return () => {
    const own = read();
    if (own !== of) {
      made = derive(own);
      of = own;
    }
    return made;
  };
}
