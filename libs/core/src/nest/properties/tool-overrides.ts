import { Inject, Injectable, Optional } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { ToolPolicies } from '../../model/tool-policies.js';
import { AiProperties, TOOL_OVERRIDES } from './ai-properties.js';
import type { PropertyType } from './property-types.js';
import { readNamedProperty } from './read-properties.js';

const KEY = ['ai', 'tools', 'overrides'];

/** What one would expect here as well. Nobody should believe that it has been heard. */
const NOT_YET = ['enabled', 'description', 'returnDirect'];
const ANY_VALUE: PropertyType<unknown> = { allowed: 'anything', defaultValue: undefined, read: (value) => value };

/** What the configuration says of the policies of single tools. */
@Injectable()
export class ToolOverrides {
  readonly #known = new Map<string, ToolPolicies | undefined>();

  constructor(
    private readonly properties: AiProperties,
    @Optional() @Inject(ConfigService) private readonly config: ConfigService | undefined,
  ) {}

  /**
   * Reads what is said of a discovered tool once and for all.
   *
   * @throws Error naming key and value when the configuration says something that is not allowed
   */
  remember(toolName: string): void {
    this.#known.set(toolName, this.#read(toolName));
  }

  /** The names in the options and in nested configuration. */
  get names(): readonly string[] {
    return Object.keys(this.properties.tools.overrides);
  }

  /** The policies of a tool, where something is said of them. */
  of(toolName: string): ToolPolicies | undefined {
    if (!this.#known.has(toolName)) this.remember(toolName);
    return this.#known.get(toolName);
  }

  #read(toolName: string): ToolPolicies | undefined {
    const { overrides } = this.properties.tools;
    const found: Record<string, unknown> = {
      ...(Object.hasOwn(overrides, toolName) ? overrides[toolName] : undefined),
    };
    if (this.config) {
      for (const key of NOT_YET) {
        const { value } = readNamedProperty<unknown>(ANY_VALUE, KEY, toolName, this.config, key);
        if (value !== undefined) {
          throw new Error(
            `The property ai.tools.overrides.${toolName}.${key} is not known. Known here: ${Object.keys(TOOL_OVERRIDES).join(', ')}.`,
          );
        }
      }
      for (const [key, type] of Object.entries(TOOL_OVERRIDES)) {
        const { value, problem } = readNamedProperty<unknown>(type, KEY, toolName, this.config, key);
        if (problem) throw new Error(problem);
        if (value !== undefined) found[key] = value;
      }
    }
    return Object.keys(found).length > 0 ? found : undefined;
  }
}
