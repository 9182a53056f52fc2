import { describe, expect, it } from '@jest/globals';
import { CLIENT_PROPERTIES, PROPERTY_TREE } from './ai-properties.js';
import { ClientProperties, loopOptionsOf } from './client-properties.js';
import { isElsewhere, isPropertyType, type PropertyType } from './property-types.js';
import { readProperties } from './read-properties.js';

type Leaf = readonly [path: readonly string[], type: PropertyType<unknown>];

function leavesOf(tree: object, path: readonly string[] = []): Leaf[] {
  return Object.entries(tree).flatMap(([key, child]: [string, object]): Leaf[] => {
    if (isElsewhere(child)) return [];
    return isPropertyType(child) ? [[[...path, key], child]] : leavesOf(child, [...path, key]);
  });
}

const nested = (path: readonly string[], value: unknown) =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

const valueAt = (values: unknown, path: readonly string[]) =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], values);

function propertiesOf(options: { readonly client?: unknown; readonly support?: unknown }): ClientProperties {
  const given = { chat: { client: options.client ?? {} }, clients: { support: options.support ?? {} } };
  return new ClientProperties(readProperties(PROPERTY_TREE, 'ai', given as object, undefined).properties, undefined);
}

/** The properties that a named client does not inherit. */
const OF_ONE = ['enabled', 'defaultTools'];

const LEAVES = leavesOf(CLIENT_PROPERTIES);
/** A value that differs from the default. */
const otherThan = (type: PropertyType<unknown>): unknown =>
  [!type.defaultValue, 7, 'none', 'discovered', ['tools', 'system']].find(
    (value) => value !== type.defaultValue && type.read(value) !== undefined,
  );

describe('the properties of a named client', () => {
  it.each(LEAVES.map(([path, type]) => [path.join('.'), path, type] as const))(
    'override those of all clients: %s',
    (_name, path, type) => {
      const value = path.join('.') === 'defaultTools' ? 'discovered' : otherThan(type);
      expect(valueAt(propertiesOf({ support: nested(path, value) }).of('support'), path)).toEqual(value);
    },
  );

  it.each(
    LEAVES.filter(([path]) => !OF_ONE.includes(path.join('.'))).map(
      ([path, type]) => [path.join('.'), path, type] as const,
    ),
  )('default to those of all clients: %s', (_name, path, type) => {
    const value = otherThan(type);
    const properties = propertiesOf({ client: nested(path, value) });
    expect(valueAt(properties.of('support'), path)).toEqual(value);
    expect(valueAt(properties.of('unheard-of'), path)).toEqual(value);
  });

  it('do not inherit enabled and defaultTools', () => {
    const properties = propertiesOf({ client: { enabled: false } });
    expect(properties.of('support')).toMatchObject({ enabled: true, defaultTools: 'none' });
    expect(properties.of('default')).toMatchObject({ enabled: false, defaultTools: 'discovered' });
  });
});

describe('a property of clients', () => {
  it('is an option of the tool loop with the same name if it belongs to toolCalling', () => {
    const { toolCalling } = propertiesOf({
      client: { toolCalling: { maxRounds: 3, advisorOrder: 4, turnLease: 500 } },
    }).ofDefault;
    expect(loopOptionsOf(toolCalling)).toEqual({ maxRounds: 3, advisorOrder: 4, turnLease: 500 });
  });

  it('belongs to a group that ChatClientFactory handles', () => {
    // ChatClientFactory has to handle each new entry.
    expect(Object.keys(CLIENT_PROPERTIES)).toEqual([
      'enabled',
      'defaultTools',
      'promptCaching',
      'toolCalling',
      'observations',
      'toolSearchAdvisor',
    ]);
  });
});
