import type { ExternalContextCreator } from '@nestjs/core';
import { type Awaitable, isPromise } from '../../model/awaitable.js';
import type { ToolContext } from '../../model/tool-context.js';
import type { EnteredTool, ToolAround, ToolRecord } from '../../tool/tool-record.js';
import type { GlobalEnhancers } from './global-enhancers.js';
import type { ToolCode } from './tool-code.js';
import { createSurround, type ToolTarget } from './tool-enhancers.js';
import type { InstanceFinder, ToolInstance } from './tool-instances.js';

/**
 * Calls a tool like Nest calls a handler: on the right instance, with the enhancers of method,
 * class and application.
 */
export class NestToolAround implements ToolAround {
  /** The prepared call of a singleton. */
  #entered: { readonly tool: EnteredTool; readonly instance: object; readonly globals: number } | undefined;

  constructor(
    private readonly target: ToolTarget,
    private readonly instanceOf: InstanceFinder,
    private readonly code: ToolCode,
    private readonly creator: ExternalContextCreator,
    private readonly globals: GlobalEnhancers,
  ) {}

  enter(record: ToolRecord, context: ToolContext): Awaitable<EnteredTool> {
    const found = this.instanceOf(context);
    return isPromise(found) ? found.then((one) => this.#enter(record, one)) : this.#enter(record, found);
  }

  #enter(record: ToolRecord, found: ToolInstance): EnteredTool {
    if (found.contextId) return this.#compile(record, found);
    const { instance } = found;
    // Global enhancers can be added at any time.
    const globals = this.globals.count;
    if (this.#entered?.instance !== instance || this.#entered.globals !== globals) {
      this.#entered = { tool: this.#compile(record, found), instance, globals };
    }
    return this.#entered.tool;
  }

  #compile(record: ToolRecord, { instance, contextId }: ToolInstance): EnteredTool {
    const { creator, target, globals } = this;
    const surround = createSurround(creator, target, globals, instance, contextId);
    return {
      run: this.code(instance, record, contextId),
      ...(surround && { surround }),
    };
  }
}
