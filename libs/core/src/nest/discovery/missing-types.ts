import { BUILD_AGAIN, hasTypes, ToolDeclarationException, UnknownTypeException } from '@nestor-ai/schema';
import type { ProviderHost } from '../hosts/provider-host.js';
import { findMetadata, hasPlugin, PASS_METADATA, PLUGIN, WRITE_METADATA } from '../plugin-metadata/find-metadata.js';

/** What an application knows of types. */
export interface KnownTypes {
  /** All classes of the application that may have tools. */
  readonly hosts: readonly ProviderHost[];
  /** Whether the application was given a `pluginMetadata`. */
  readonly isGiven: boolean;
}

/**
 * Runs a function that creates a tool. If a type is unknown, the error also says how the compiler
 * plugin can read it.
 */
export function explainMissingTypes<T>(create: () => T, host: ProviderHost, known: KnownTypes): T {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof Error) || !isUnknownType(error)) throw error;
    throw new ToolDeclarationException(`${error.message} ${hintFor(host, known)}`, { cause: error });
  }
}

function isUnknownType(error: unknown): boolean {
  return error instanceof UnknownTypeException || (error instanceof Error && isUnknownType(error.cause));
}

function hintFor({ type }: ProviderHost, { hosts, isGiven }: KnownTypes): string {
  if (hasTypes(type)) {
    return `The types of ${type.name} do not describe it either. If they are older than the code: ${BUILD_AGAIN}`;
  }
  if (hosts.some((host) => hasTypes(host.type))) {
    return `${type.name} has no types: it was not built with the compiler plugin, unlike other classes. ${BUILD_AGAIN}`;
  }
  if (isGiven) return `${type.name} has no types in pluginMetadata. ${BUILD_AGAIN}`;
  const path = findMetadata();
  if (path !== undefined) return `You have ${path}: ${PASS_METADATA}`;
  if (hasPlugin()) return `nest-cli.json has the compiler plugin, but it did not build ${type.name}. ${WRITE_METADATA}`;
  return (
    `The compiler plugin can read types from your code: npm i -D ${PLUGIN}, and list it in "plugins" of nest-cli.json. ` +
    `${WRITE_METADATA} See the guide "Types as schemas".`
  );
}
