import { Injectable } from '@nestjs/common';
import type { ToolCallback } from '../../model/tool-callback.js';
import { recordOf } from '../../tool/record-of.js';
import { baseOf, type ToolRecord } from '../../tool/tool-record.js';
import { ConfiguredTool } from './configured-tool.js';
import { type ToolOverrides, ToolProperties } from '../properties/tool-properties.js';

const UNCHANGED: Partial<ToolOverrides> = Object.freeze({});

/** Makes of tools what the configuration wants them to be: `ai.tools.overrides.<tool>.*`. */
@Injectable()
export class ToolConfigurator {
  readonly #configured = new WeakMap<ToolCallback, { readonly callback: ToolCallback | undefined }>();
  readonly #lists = new WeakMap<readonly ToolCallback[], readonly ToolCallback[]>();

  constructor(private readonly properties: ToolProperties) {}

  /** The tool as it is configured; undefined when it is turned off. */
  configure(callback: ToolCallback): ToolCallback | undefined {
    if (this.properties.overridesNothing) return callback;
    let found = this.#configured.get(callback);
    if (!found) {
      found = { callback: this.#make(callback) };
      this.#configured.set(callback, found);
      // What was made here is not to be configured again.
      if (found.callback) this.#configured.set(found.callback, found);
    }
    return found.callback;
  }

  /** Of a frozen list, the same list at each call. */
  configureAll(callbacks: readonly ToolCallback[]): readonly ToolCallback[] {
    if (this.properties.overridesNothing) return callbacks;
    let configured = this.#lists.get(callbacks);
    if (!configured) {
      configured = Object.freeze(callbacks.flatMap((callback) => this.configure(callback) ?? []));
      if (Object.isFrozen(callbacks)) this.#lists.set(callbacks, configured);
    }
    return configured;
  }

  /** Whether the configuration turns off the tool of a name. */
  isTurnedOff(toolName: string): boolean {
    return this.properties.overridesOf(toolName).enabled === false;
  }

  /** Whether clients and requests have a tool that name none themselves. */
  isOfferedByDefault(callback: ToolCallback): boolean {
    const record = recordOf(callback);
    const declared = isOffered(record) && isOffered(baseOf(record));
    return this.properties.overridesNothing ? declared : (this.#overridesOf(callback).offeredByDefault ?? declared);
  }

  #make(callback: ToolCallback): ToolCallback | undefined {
    const { enabled, description, returnDirect } = this.#overridesOf(callback);
    if (enabled === false) return undefined;
    if (description === undefined && returnDirect === undefined) return callback;
    return new ConfiguredTool(callback, { description, returnDirect });
  }

  /** What is said of the name of the tool, over what is said of the one that it stands for. */
  #overridesOf(callback: ToolCallback): Partial<ToolOverrides> {
    const record = recordOf(callback);
    const names = new Set([baseOf(record), record].map(({ definition }) => definition?.name));
    return [...names].reduce<Partial<ToolOverrides>>((overrides, name) => {
      if (typeof name !== 'string') return overrides;
      const said = Object.entries(this.properties.overridesOf(name)).filter(([, value]) => value !== undefined);
      if (said.length === 0) return overrides;
      const isOff = overrides.enabled === false;
      return { ...overrides, ...Object.fromEntries(said), ...(isOff && { enabled: false }) };
    }, UNCHANGED);
  }
}

function isOffered({ metadata }: ToolRecord): boolean {
  return metadata.offeredByDefault !== false;
}
