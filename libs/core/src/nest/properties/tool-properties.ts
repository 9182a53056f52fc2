import { Inject, Injectable } from '@nestjs/common';
import type { ToolPolicies } from '../../model/tool-policies.js';
import { AiProperties } from './ai-properties.js';
import { TOOL_LIMIT, TOOL_OVERRIDES, TOOL_POLICIES } from './tool-property-tree.js';
import { NamedProperties } from './named-properties.js';
import { CONFIGURATION, type PropertySource } from './property-source.js';
import type { ResolvedProperties } from './property-types.js';

export type ToolOverrides = ResolvedProperties<typeof TOOL_OVERRIDES>;

/**
 * The properties of single tools: `ai.tools.overrides` and `ai.tools.limits.max-calls-per-tool`.
 */
@Injectable()
export class ToolProperties {
  readonly #overrides: NamedProperties<typeof TOOL_OVERRIDES>;
  readonly #limits: NamedProperties<typeof TOOL_LIMIT>;

  constructor({ tools }: AiProperties, @Inject(CONFIGURATION) config: PropertySource | undefined) {
    this.#overrides = new NamedProperties(TOOL_OVERRIDES, ['ai', 'tools', 'overrides'], tools.overrides, config);
    const limits = ['ai', 'tools', 'limits', 'maxCallsPerTool'];
    this.#limits = new NamedProperties(TOOL_LIMIT, limits, tools.limits.maxCallsPerTool, config);
  }

  /** Whether the configuration overrides no tool. */
  get overridesNothing(): boolean {
    return this.#overrides.isEmpty;
  }

  /** Whether the configuration limits the calls of no tool by its name. */
  get limitsNothing(): boolean {
    return this.#limits.isEmpty;
  }

  /** The configured names of tools that are not known. A variable's name is known only as it is spelled there. */
  namedBeyond(known: Iterable<string>) {
    return [this.#overrides, this.#limits].flatMap((properties) =>
      properties
        .namesBeyond(known)
        // AI_TOOLS_LIMITS_MAX_CALLS_PER_TOOL_DEFAULT is a property of its own.
        .filter((name) => properties !== this.#limits || name !== 'DEFAULT')
        .map((name) => ({ key: properties.key, name, isVariable: !properties.names.includes(name) })),
    );
  }

  /** Reads the properties of a tool and returns the problems. */
  check(toolName: string): readonly string[] {
    return [...this.#overrides.check(toolName), ...this.#limits.check(toolName)];
  }

  /** The overrides of a tool. Properties that are not set are undefined. */
  overridesOf(toolName: string): ToolOverrides {
    return this.#overrides.of(toolName);
  }

  /** The policies in {@link overridesOf}, if there are any. */
  policiesOf(toolName: string): ToolPolicies | undefined {
    if (this.overridesNothing) return undefined;
    const policies = Object.entries(this.overridesOf(toolName)).filter(
      ([key, value]) => key in TOOL_POLICIES && value !== undefined,
    );
    return policies.length > 0 ? Object.fromEntries(policies) : undefined;
  }

  /** How many calls of the tool a turn may have. Undefined if the tool has no own limit. */
  limitOf(toolName: string): number | undefined {
    return this.#limits.of(toolName);
  }
}
