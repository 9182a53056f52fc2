import { booleanProperty, type PropertySource, readProperties, type ResolvedProperties } from '@nestor-ai/core';

/** The properties under `ai.inspector`. */
export const INSPECTOR_TREE = {
  /**
   * Whether the page of the inspector shows contents: what was said, arguments, results and errors.
   * If false, it shows how long they are. By default, the holder of the token sees them, and users
   * that guards admit do not.
   */
  content: booleanProperty(undefined),
};

/** The injection token of {@link InspectorProperties}. */
export const INSPECTOR_PROPERTIES: unique symbol = Symbol('nestor.InspectorProperties');

/** The values of `ai.inspector.*`. */
export type InspectorProperties = ResolvedProperties<typeof INSPECTOR_TREE>;

/** @throws Error that names the key of a bad value */
export function readInspectorProperties(source: PropertySource | undefined): InspectorProperties {
  const { properties, problems } = readProperties(INSPECTOR_TREE, ['ai', 'inspector'], undefined, source);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return properties;
}
