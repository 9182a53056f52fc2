import { Injectable, Logger } from '@nestjs/common';
import { isToolCallback, LOOP_TOOL, type ToolCallback } from '../../model/tool-callback.js';
import { classNameOf, ToolDeclarationException } from '@nestor-ai/schema';
import { recordOf } from '../../tool/record-of.js';
import { baseOf, type ToolRecord } from '../../tool/tool-record.js';
import { GlobalEnhancers } from '../invocation/global-enhancers.js';
import { AiProperties } from '../properties/ai-properties.js';

/** How many tools to remember. An application may create one per user. */
const MAX_REMEMBERED = 1000;

/**
 * Finds tools that bypass the guards of the application, since the container does not know them.
 */
@Injectable()
export class UnguardedTools {
  private readonly logger = new Logger('AiModule');
  /** The classes, or else the names, that were already warned about. */
  readonly #warned = new Set<unknown>();

  constructor(
    private readonly globals: GlobalEnhancers,
    private readonly properties: AiProperties,
  ) {}

  /** @throws ToolDeclarationException that names the tool, if `ai.tools.unguarded` is `refuse` */
  check(callback: ToolCallback): void {
    if (this.globals.countOf('guards') === 0) return;
    const { unguarded } = this.properties.tools;
    if (unguarded === 'allow') return;
    const record = recordOf(callback);
    if (record.around || LOOP_TOOL in callback) return;
    if (unguarded === 'refuse') throw new ToolDeclarationException(refusalText(record));
    if (this.#isNew(record)) this.logger.warn(warningText(record));
  }

  #isNew(record: ToolRecord): boolean {
    const key = classOf(record) ?? record.definition.name;
    if (this.#warned.has(key)) return false;
    if (this.#warned.size >= MAX_REMEMBERED) this.#warned.clear();
    this.#warned.add(key);
    return true;
  }
}

/** The class of a tool. Undefined for a function. */
function classOf(record: ToolRecord): object | undefined {
  if (record.method) return record.method.target;
  const { owner } = baseOf(record).id;
  return isToolCallback(owner) ? owner.constructor : undefined;
}

function warningText(record: ToolRecord): string {
  return (
    `The guards of the application do not run for ${placeOf(record)}. ${remedyFor(record)} If such tools need no guards, set ` +
    'ai.tools.unguarded=allow. To refuse such tools, set ai.tools.unguarded=refuse.'
  );
}

function refusalText(record: ToolRecord): string {
  return `The guards of the application would not run for ${placeOf(record)}, and ai.tools.unguarded is refuse. ${remedyFor(record)}`;
}

function placeOf({ definition, origin }: ToolRecord): string {
  return `the tool '${definition.name}' (${origin}), which the container does not know`;
}

function remedyFor({ method }: ToolRecord): string {
  if (!method)
    return 'Provide the tool in a module (a function with toolProvider()), or return it from a ToolCallbackProvider of a module.';
  const type = classNameOf(method.target);
  return `Provide ${type} in a module of the application, and pass ${type} itself or the injected instance to .tools().`;
}
