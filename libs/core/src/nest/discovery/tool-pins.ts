import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { stableJson } from '@nestor-ai/schema';
import type { ToolDefinition } from '../../model/tool-definition.js';
import { AiProperties } from '../properties/ai-properties.js';
import { ToolProperties } from '../properties/tool-properties.js';
import { remembered } from '../../model/remembered.js';

/** Limits how many unpinned tools are remembered, since providers choose the names. */
const MAX_REMEMBERED = 10_000;

/** Detects that a foreign tool has changed since an operator approved it. */
@Injectable()
export class ToolPins {
  /** The hash of each unpinned tool when this process first saw it. */
  readonly #first = new Map<string, string>();
  /** A definition is the same object for all requests. */
  readonly #hashOf = remembered(({ name, description, inputSchema }: ToolDefinition) => {
    const text = stableJson({ name, description, inputSchema });
    return `sha256-${createHash('sha256').update(text).digest('base64url')}`;
  });

  constructor(
    private readonly properties: AiProperties,
    private readonly tools: ToolProperties,
  ) {}

  /** Whether requests leave out tools that have changed. */
  get refuses(): boolean {
    return this.properties.tools.pin === 'refuse';
  }

  /**
   * The hash of a tool that has changed: it differs from its pin or, without a pin, from the hash
   * that this process saw first.
   *
   * @param place the provider of the tool
   * @returns undefined if the tool has not changed
   */
  changedHashOf(place: string, definition: ToolDefinition): string | undefined {
    const hash = this.#hashOf(definition);
    const expected = this.tools.overridesOf(definition.name).pin ?? this.#firstOf(`${place} ${definition.name}`, hash);
    return hash === expected ? undefined : hash;
  }

  #firstOf(key: string, hash: string): string {
    const first = this.#first.get(key);
    if (first === undefined && this.#first.size < MAX_REMEMBERED) this.#first.set(key, hash);
    return first ?? hash;
  }
}
