import { Injectable } from '@nestjs/common';
import { remembered } from '../../model/remembered.js';
import type { ToolCallback } from '../../model/tool-callback.js';
import { DerivedToolRecord, type ToolChanges } from '../../tool/derived-tool-record.js';
import { RecordToolCallback } from '../../tool/record-tool-callback.js';
import { recordOf } from '../../tool/record-of.js';
import { baseOf, type ToolRecord } from '../../tool/tool-record.js';
import { type ToolOverrides, ToolProperties } from '../properties/tool-properties.js';

const UNCHANGED: Partial<ToolOverrides> = Object.freeze({});

/** A tool with the changes from the configuration. */
export class ConfiguredTool extends RecordToolCallback {
  constructor(
    /** The tool without these changes. */
    readonly original: ToolCallback,
    changes: ToolChanges,
  ) {
    super(new DerivedToolRecord(recordOf(original), changes));
  }
}

/** Applies `ai.tools.overrides.<tool>.*` to tools. */
@Injectable()
export class ToolConfigurator {
  readonly #configured = remembered((callback: ToolCallback) => this.#make(callback));
  readonly #configuredList = remembered(
    (callbacks: readonly ToolCallback[]): readonly ToolCallback[] =>
      Object.freeze(callbacks.flatMap((callback) => this.configure(callback) ?? [])),
    Object.isFrozen,
  );

  constructor(private readonly properties: ToolProperties) {}

  /** The tool with its overrides. Undefined if it is turned off. */
  configure(callback: ToolCallback): ToolCallback | undefined {
    return this.properties.overridesNothing ? callback : this.#configured(callback);
  }

  /** Returns the same list each time for the same frozen list. */
  configureAll(callbacks: readonly ToolCallback[]): readonly ToolCallback[] {
    return this.properties.overridesNothing ? callbacks : this.#configuredList(callbacks);
  }

  /** Whether the configuration turns off a tool. */
  isTurnedOff(toolName: string): boolean {
    return this.properties.overridesOf(toolName).enabled === false;
  }

  /** Whether the tool is offered to clients and requests that don't list tools. */
  isOfferedByDefault(callback: ToolCallback): boolean {
    const record = recordOf(callback);
    const declared = isOffered(record) && isOffered(baseOf(record));
    return this.properties.overridesNothing ? declared : (this.#overridesOf(callback).offeredByDefault ?? declared);
  }

  #make(callback: ToolCallback): ToolCallback | undefined {
    // A configured tool must not be configured again.
    if (callback instanceof ConfiguredTool && this.#configured(callback.original) === callback) return callback;
    const { enabled, description, returnDirect } = this.#overridesOf(callback);
    if (enabled === false) return undefined;
    if (description === undefined && returnDirect === undefined) return callback;
    return new ConfiguredTool(callback, { description, returnDirect });
  }

  /**
   * The overrides for the name of a tool and for the name of its base tool. The tool's own name
   * takes precedence, but cannot turn a base tool on that is turned off.
   */
  #overridesOf(callback: ToolCallback): Partial<ToolOverrides> {
    const record = recordOf(callback);
    const names = new Set([baseOf(record), record].map(({ definition }) => definition?.name));
    return [...names].reduce<Partial<ToolOverrides>>((overrides, name) => {
      if (typeof name !== 'string') return overrides;
      const values = Object.entries(this.properties.overridesOf(name)).filter(([, value]) => value !== undefined);
      if (values.length === 0) return overrides;
      const isOff = overrides.enabled === false;
      return { ...overrides, ...Object.fromEntries(values), ...(isOff && { enabled: false }) };
    }, UNCHANGED);
  }
}

function isOffered({ metadata }: ToolRecord): boolean {
  return metadata.offeredByDefault !== false;
}
