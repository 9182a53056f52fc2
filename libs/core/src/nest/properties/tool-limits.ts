import { Inject, Injectable, Optional } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { AiProperties } from './ai-properties.js';
import { limitProperty } from './property-types.js';
import { readNamedProperty } from './read-properties.js';

const KEY = ['ai', 'tools', 'limits', 'maxCallsPerTool'];

/**
 * The limits of single tools. A name is part of their keys, so the configuration can only be asked for a tool that is
 * known by then.
 */
@Injectable()
export class ToolLimits {
  readonly #known = new Map<string, number | undefined>();

  constructor(
    private readonly properties: AiProperties,
    @Optional() @Inject(ConfigService) private readonly config: ConfigService | undefined,
  ) {}

  /**
   * Reads the limit of a discovered tool once and for all.
   *
   * @throws Error naming key and value when the configuration says something that is not allowed
   */
  remember(toolName: string): void {
    this.#known.set(toolName, this.#read(toolName));
  }

  /** The limit of a tool, if it has one of its own. What was not discovered is looked up each time. */
  of(toolName: string): number | undefined {
    return this.#known.has(toolName) ? this.#known.get(toolName) : this.#read(toolName);
  }

  #read(toolName: string): number | undefined {
    const { maxCallsPerTool } = this.properties.tools.limits;
    const given = Object.hasOwn(maxCallsPerTool, toolName) ? maxCallsPerTool[toolName] : undefined;
    if (!this.config) return given;
    const { value, problem } = readNamedProperty(limitProperty(-1), KEY, toolName, this.config);
    if (problem) throw new Error(problem);
    return value ?? given;
  }
}
