import { remembered } from '../../model/remembered.js';
import { isToolCallback, type ToolCallback, type ToolCallbackProvider } from '../../model/tool-callback.js';
import type { ToolDefinition } from '../../model/tool-definition.js';
import type { ToolLabels } from '../../model/tool-labels.js';
import type { ToolMetadata } from '../../model/tool-metadata.js';
import { checkSchema, checkSchemaWork, linearPatternOf } from '@nestor-ai/schema';
import { DerivedToolRecord } from '../derived-tool-record.js';
import { recordOf } from '../record-of.js';
import { RecordToolCallback } from '../record-tool-callback.js';
import { baseOf, type ToolRecord } from '../tool-record.js';
import { checkDefinitionSize } from './definition-size.js';
import { moreCautious } from './labels.js';

// Stored outside, because the tool is not our object. All requests must get the same result.
const madeOf = remembered((_callback: ToolCallback) => new Map<string, ToolCallback>());
const made = new WeakSet<ToolCallback>();

/** Whether a tool is foreign code: not a method, and its provider is not trusted. */
export function isForeign({ trusted }: ToolCallbackProvider, callback: ToolCallback): boolean {
  return !trusted && isToolCallback(callback) && !baseOf(recordOf(callback)).method;
}

/**
 * Applies a provider's prefix and trust to one of its tools. The labels of a foreign tool can only
 * raise caution.
 *
 * @param prefix the start of the tool's name. Default: the provider's prefix if all its tools have
 *   it
 */
export function asGivenBy(
  provider: ToolCallbackProvider,
  callback: ToolCallback,
  prefix: string = prefixForAll(provider),
): ToolCallback {
  const isHinting = isForeign(provider, callback);
  if ((!isHinting && prefix === '') || made.has(callback) || !isToolCallback(callback)) return callback;
  const key = `${isHinting} ${prefix}`;
  const known = madeOf(callback);
  let given = known.get(key);
  if (!given) {
    given = new RecordToolCallback(new GivenToolRecord(recordOf(callback), prefix, isHinting));
    known.set(key, given);
    made.add(given);
  }
  return given;
}

function prefixForAll({ prefix = '', prefixWhen }: ToolCallbackProvider): string {
  return prefixWhen === 'collision' ? '' : prefix;
}

const LABELS_OF_STRANGERS: ToolLabels = Object.freeze({ untrusted: true, effect: 'write' });

class GivenToolRecord extends DerivedToolRecord {
  constructor(
    base: ToolRecord,
    private readonly prefix: string,
    private readonly isHinting: boolean,
  ) {
    super(base, {});
  }

  protected override described(definition: ToolDefinition): ToolDefinition {
    const { prefix } = this;
    return prefix === '' ? definition : Object.freeze({ ...definition, name: `${prefix}${definition.name}` });
  }

  protected override labelled(metadata: ToolMetadata): ToolMetadata {
    return this.isHinting ? Object.freeze({ ...metadata, ...moreCautious(metadata, LABELS_OF_STRANGERS) }) : metadata;
  }

  override get parse(): ToolRecord['parse'] {
    return (this.isHinting ? this.parseForeign : undefined) ?? super.parse;
  }

  override verify(): void {
    if (this.isHinting) checkDefinitionSize(this.definition);
    super.verify();
    if (!this.isHinting || !this.parseForeign) return;
    const { inputSchema } = this.definition;
    checkSchema(inputSchema, linearPatternOf);
    checkSchemaWork(inputSchema);
  }
}
