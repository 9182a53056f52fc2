import { jsonrepair } from 'jsonrepair';
import type { Awaitable } from '../model/awaitable.js';
import type { ToolDefinition } from '../model/tool-definition.js';

/** Arguments that are not valid JSON. */
export interface BrokenArguments {
  readonly toolDefinition: ToolDefinition;
  /** The model's text. */
  readonly arguments: string;
}

/**
 * Repairs arguments that are not valid JSON before the model is asked to write them again. Pass it
 * to `DefaultToolCallingManager` as `argumentRepair`, or provide it in `AiModule`. Not used if the
 * model's answer was cut off, because the rest is unknown.
 */
export abstract class ToolArgumentRepair {
  /** Returns the arguments as JSON text. Undefined if they cannot be repaired. */
  abstract repair(broken: BrokenArguments): Awaitable<string | undefined>;
}

/**
 * Repairs common mistakes of models: missing quotes and commas, single quotes, comments, a code
 * fence.
 */
export class JsonRepair extends ToolArgumentRepair {
  repair({ arguments: text }: BrokenArguments): string | undefined {
    try {
      return jsonrepair(text);
    } catch {
      return undefined;
    }
  }
}
