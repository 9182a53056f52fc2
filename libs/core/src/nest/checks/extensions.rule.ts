import { PROPERTY_TREE } from '../properties/ai-properties.js';
import { childOf, keysUnder, nestedAt } from '../properties/property-source.js';
import { environmentName, kebabKey, type KeyPart } from '../properties/property-spelling.js';
import { booleanProperty, isElsewhere, nodesOf } from '../properties/property-types.js';
import { readProperties } from '../properties/read-properties.js';
import { SERVED_BY } from '../extensions/ai-extension.js';
import type { AiApplication } from './ai-application.js';
import type { UnknownKey } from '../properties/unknown-keys.js';

/** Checks what packages add to AiModule. */
export function checkExtensions({ extensions, enabledClients }: AiApplication): readonly string[] {
  return extensions.check(enabledClients);
}

/**
 * Checks that a package whose properties are set is imported. A variable of the environment alone is
 * no problem: applications may share it. `enabled` is, in each spelling.
 */
export function checkMissingPackages(application: AiApplication): readonly string[] {
  const names = new Set([...application.namedClients, ...application.clients.named.names]);
  const nodes = nodesOf(PROPERTY_TREE, ['ai'], () => [...names].map((name) => ({ name })));
  const withoutEffect = nodes.flatMap(({ node, path }) =>
    isElsewhere(node) && node.module && !application.extensions.serves(node) && isSet(application, path)
      ? `${kebabKey(path)}.* needs ${node.module} of ${node.package}. Import it, or remove these properties.`
      : [],
  );
  return [...withoutEffect, ...unservedProviders(application)];
}

/** Providers that do nothing without an extension, such as the sink of an audit. */
function unservedProviders({ hosts, extensions }: AiApplication): readonly string[] {
  return hosts.providers.flatMap(({ token, instance, host }) => {
    // Not of a class that extends it: such a provider does nothing by itself.
    const path = Object.hasOwn(token as object, SERVED_BY) && (token as unknown as { [SERVED_BY]: string })[SERVED_BY];
    if (!path || !instance || extensions.reads(['ai', path])) return [];
    const { module, package: from } = PROPERTY_TREE[path as 'audit'];
    return `The ${(token as { name: string }).name} in ${host?.name} has no effect without ${module} of ${from}.`;
  });
}

const ENABLED = { enabled: booleanProperty(undefined) };

function isSet({ configuration, given }: AiApplication, path: readonly KeyPart[]): boolean {
  const init = path.slice(1).reduce<unknown>(childOf, given);
  const { enabled } = readProperties(ENABLED, path, init as object | undefined, configuration, {
    checksKeys: false,
  }).properties;
  if (enabled !== undefined) return enabled;
  if (!isEmpty(init) || !isEmpty(nestedAt(configuration, path))) return true;
  const names = path.map((part) => (typeof part === 'string' ? part : part.name));
  const keys = (configuration && keysUnder(configuration, names)) ?? [];
  return keys.some((key) => !key.startsWith(environmentName(path)));
}

function isEmpty(group: unknown): boolean {
  return typeof group !== 'object' || group === null || Object.keys(group).length === 0;
}

/** Checks that AiModule or an extension knows each key under `ai`. */
export function checkKnownKeys(application: AiApplication): readonly string[] {
  return unknownIn(application)
    .filter(({ isForeign }) => !isForeign)
    .map(({ text }) => text);
}

/** Warns about keys that may belong to others. */
export function checkForeignKeys(application: AiApplication): readonly string[] {
  return unknownIn(application)
    .filter(({ isForeign }) => isForeign)
    .map(({ text }) => `${text} It is ignored.`);
}

function unknownIn({ problems, extensions }: AiApplication): readonly UnknownKey[] {
  return problems.unknownKeys.filter(({ path }) => !extensions.reads(path));
}
