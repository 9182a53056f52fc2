import { jsonrepair } from 'jsonrepair';
import type { Awaitable } from '../model/awaitable.js';
import type { ToolDefinition } from '../model/tool-definition.js';

/** Arguments that are no JSON. */
export interface BrokenArguments {
  readonly toolDefinition: ToolDefinition;
  /** What the model wrote. */
  readonly arguments: string;
}

/**
 * Puts arguments right that are no JSON, before the model is told to write them again. Given to `DefaultToolCallingManager` as
 * `argumentRepair`, or provided in `AiModule`. Not asked when the model's answer was cut off: what is missing cannot be known.
 */
export abstract class ToolArgumentRepair {
  /** The arguments as JSON text; undefined when they cannot be put right. */
  abstract repair(broken: BrokenArguments): Awaitable<string | undefined>;
}

/** Repairs what models often get wrong: missing quotes and commas, single quotes, comments, a code fence around it all. */
export class JsonRepair extends ToolArgumentRepair {
  repair({ arguments: text }: BrokenArguments): string | undefined {
    try {
      return jsonrepair(text);
    } catch {
      return undefined;
    }
  }
}
