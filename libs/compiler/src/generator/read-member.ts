import { isJsonObject } from '@nestor-ai/schema/format';
import type { ReadValue, SharedType } from './read-value.js';

/**
 * Changes a property of an object.
 *
 * @param path the names that lead to it
 * @returns the value as it was if there is no such property, or the object contains itself
 */
export function withMember(
  value: ReadValue,
  [name, ...path]: readonly string[],
  change: (member: ReadValue) => ReadValue,
): ReadValue {
  if (name === undefined) return change(value);
  const { $ref, ...own } = value.schema;
  const shared = typeof $ref === 'object' ? ($ref as SharedType) : undefined;
  if (shared?.isRecursive) return value;
  const schema = shared?.value ? shared.value.schema : value.schema;
  const { properties } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return value;
  const member = withMember({ schema: properties[name] as ReadValue['schema'] }, path, change);
  return { ...value, schema: { ...schema, ...own, properties: { ...properties, [name]: member.schema } } };
}
