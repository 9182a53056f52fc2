import { ToolDeclarationException } from '../../tool/declaration/tool-declaration.exception.js';
import { UnknownTypeException } from '../../tool/declaration/unknown-type.exception.js';
import { hasTypes } from '../../tool/typed/loaded-types.js';
import type { ProviderHost } from '../hosts/provider-host.js';
import { findMetadata, PASS_METADATA } from '../plugin-metadata/unused-metadata.js';

/**
 * Runs a function that creates a tool. If a type is unknown, the error also says how the compiler
 * plugin can read it.
 *
 * @param hosts all classes of the application that may have tools
 */
export function explainMissingTypes<T>(create: () => T, host: ProviderHost, hosts: readonly ProviderHost[]): T {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof Error) || !isUnknownType(error)) throw error;
    throw new ToolDeclarationException(`${error.message} ${hintFor(host, hosts)}`, { cause: error });
  }
}

function isUnknownType(error: unknown): boolean {
  return error instanceof UnknownTypeException || (error instanceof Error && isUnknownType(error.cause));
}

function hintFor({ type }: ProviderHost, hosts: readonly ProviderHost[]): string {
  if (hasTypes(type)) return `The types of ${type.name} do not describe it either.`;
  if (hosts.some((host) => hasTypes(host.type))) {
    return `${type.name} has no types: it was not built with the compiler plugin, unlike other classes.`;
  }
  const path = findMetadata();
  return (
    'The compiler plugin can read types from your code: see the guide "Types as schemas".' +
    (path === undefined ? '' : ` You have ${path}: ${PASS_METADATA}`)
  );
}
