import { Inject, Injectable } from '@nestjs/common';
import type { ToolPolicies } from '../../model/tool-policies.js';
import { AiProperties, TOOL_LIMIT, TOOL_OVERRIDES, TOOL_POLICIES } from './ai-properties.js';
import { NamedProperties } from './named-properties.js';
import { CONFIGURATION, type PropertySource } from './property-source.js';
import type { ResolvedProperties } from './property-types.js';

export type ToolOverrides = ResolvedProperties<typeof TOOL_OVERRIDES>;

/** What the configuration says of single tools, under `ai.tools.overrides` and `ai.tools.limits.max-calls-per-tool`. */
@Injectable()
export class ToolProperties {
  readonly #overrides: NamedProperties<typeof TOOL_OVERRIDES>;
  readonly #limits: NamedProperties<typeof TOOL_LIMIT>;

  constructor({ tools }: AiProperties, @Inject(CONFIGURATION) config: PropertySource | undefined) {
    this.#overrides = new NamedProperties(TOOL_OVERRIDES, ['ai', 'tools', 'overrides'], tools.overrides, config);
    const limits = ['ai', 'tools', 'limits', 'maxCallsPerTool'];
    this.#limits = new NamedProperties(TOOL_LIMIT, limits, tools.limits.maxCallsPerTool, config);
  }

  /** Whether the configuration overrides nothing of any tool. */
  get overridesNothing(): boolean {
    return this.#overrides.isEmpty;
  }

  /** The names of tools in the configuration, and under which key. */
  get named(): readonly { readonly key: string; readonly name: string }[] {
    return [this.#overrides, this.#limits].flatMap((properties) =>
      properties.names.map((name) => ({ key: properties.key, name })),
    );
  }

  /** Reads what is said of a tool, and gives what is wrong with it. */
  check(toolName: string): readonly string[] {
    return [...this.#overrides.check(toolName), ...this.#limits.check(toolName)];
  }

  /** What is said of a tool; what is not, is undefined. */
  overridesOf(toolName: string): ToolOverrides {
    return this.#overrides.of(toolName);
  }

  /** The policies among {@link overridesOf}, if there are any. */
  policiesOf(toolName: string): ToolPolicies | undefined {
    if (this.overridesNothing) return undefined;
    const said = Object.entries(this.overridesOf(toolName)).filter(
      ([key, value]) => key in TOOL_POLICIES && value !== undefined,
    );
    return said.length > 0 ? Object.fromEntries(said) : undefined;
  }

  /** How often a tool may be called in a turn, where it has a limit of its own. */
  limitOf(toolName: string): number | undefined {
    return this.#limits.of(toolName);
  }
}
