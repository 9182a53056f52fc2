import { Inject, Injectable, Optional } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { AiProperties } from './ai-properties.js';
import { readNamedProperty } from './read-properties.js';
import { limitProperty } from './property-types.js';

const KEY = ['ai', 'tools', 'limits', 'maxCallsPerTool'];

/**
 * The limits of single tools. A name is part of their keys, so flat keys and environment variables can only be looked
 * for once the tools are known.
 */
@Injectable()
export class ToolLimits {
  /** Completed in place when the tools are known. */
  readonly limits: Record<string, number>;

  constructor(
    { tools }: AiProperties,
    private readonly problems: BootstrapProblems,
    @Optional() @Inject(ConfigService) private readonly config: ConfigService | undefined,
  ) {
    this.limits = { ...tools.limits.maxCallsPerTool };
  }

  /** Looks for the limits of these tools. */
  readFor(toolNames: Iterable<string>): void {
    if (!this.config) return;
    for (const name of toolNames) {
      if (Object.hasOwn(this.limits, name)) continue;
      const { value, problem } = readNamedProperty(limitProperty(-1), KEY, name, this.config);
      if (problem) this.problems.add(problem);
      else if (value !== undefined) this.limits[name] = value;
    }
  }
}
