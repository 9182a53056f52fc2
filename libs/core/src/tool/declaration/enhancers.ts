import 'reflect-metadata';
import { ownValuesOf } from '@nestor-ai/schema';

/** The metadata keys of Nest's `@UseGuards`, `@UseInterceptors`, `@UsePipes` and `@UseFilters`. */
const METADATA_KEYS = {
  guards: '__guards__',
  interceptors: '__interceptors__',
  pipes: '__pipes__',
  filters: '__exceptionFilters__',
} as const;

const KINDS = Object.entries(METADATA_KEYS) as readonly (readonly [EnhancerKind, string])[];
const ENHANCER_KEYS: ReadonlySet<PropertyKey> = new Set(Object.values(METADATA_KEYS));
const NONE: readonly unknown[] = [];

/**
 * Marks a class whose methods are called from outside Nest's own entry points. Nest links global
 * request-scoped enhancers to it.
 */
const ENTRY_PROVIDER = '__entryProvider__';

export type EnhancerKind = keyof typeof METADATA_KEYS;

/** The enhancers that a tool method declares. */
export interface Enhancers {
  /** The enhancers of the class and of the function that is called. Nest can run them. */
  readonly effective: ReadonlyMap<EnhancerKind, readonly unknown[]>;
  /**
   * Enhancers of a function that is not called, because a subclass overrides it or another
   * decorator replaced it. Nothing would run them.
   */
  readonly lost: readonly EnhancerKind[];
  /**
   * Other metadata keys that only exist on the decorated function, not on the called one. Guards
   * would not see them.
   */
  readonly lostMetadata: readonly PropertyKey[];
}

/** The enhancers of a method without any. */
export const NO_ENHANCERS: Enhancers = { effective: new Map(), lost: [], lostMetadata: [] };

/**
 * Reads the enhancers of a method.
 *
 * @param target the prototype, or the class of a static method
 * @param declared the function that `@Tool()` was applied to
 * @param ofClass the enhancers of the class, if already read
 */
export function readEnhancers(
  target: object,
  methodName: string,
  declared?: unknown,
  ofClass: Enhancers['effective'] = readClassEnhancers(target),
): Enhancers {
  const called = (target as Record<string, unknown>)[methodName];
  const others = [...ownValuesOf(target, methodName), declared].filter((fn) => fn !== called);
  if (!hasMetadata(called) && !others.some(hasMetadata))
    return ofClass.size === 0 ? NO_ENHANCERS : { ...NO_ENHANCERS, effective: ofClass };
  const effective = new Map<EnhancerKind, readonly unknown[]>();
  const lost: EnhancerKind[] = [];
  for (const [kind, key] of KINDS) {
    const ofMethod = metadataOf(key, called);
    const found = [...(ofClass.get(kind) ?? NONE), ...ofMethod];
    if (found.length > 0) effective.set(kind, found);
    if (ofMethod.length === 0 && others.some((fn) => metadataOf(key, fn).length > 0)) lost.push(kind);
  }
  const isKept = (key: PropertyKey): boolean => typeof called === 'function' && Reflect.hasMetadata(key, called);
  return { effective, lost, lostMetadata: metadataKeysOf(declared).filter((key) => !isKept(key)) };
}

/** The enhancers as Nest's metadata, by key. */
export function enhancerMetadata({ effective }: Enhancers): [PropertyKey, readonly unknown[]][] {
  return [...effective].map(([kind, enhancers]) => [METADATA_KEYS[kind], enhancers]);
}

/** The metadata keys of a function that guards may read, without enhancers. */
export function metadataKeysOf(place: unknown): PropertyKey[] {
  if (typeof place !== 'function') return [];
  return (Reflect.getMetadataKeys(place) as PropertyKey[]).filter((key) => !ENHANCER_KEYS.has(key));
}

/** Describes metadata in a message. */
export function namedMetadata(keys: readonly PropertyKey[]): string {
  return `metadata '${keys.map(String).join("', '")}'`;
}

/**
 * Reads the enhancers of a class, which apply to all its methods.
 *
 * @param owner the class, if it is not the prototype's constructor
 */
export function readClassEnhancers(
  target: object,
  owner: unknown = typeof target === 'function' ? target : target.constructor,
): Enhancers['effective'] {
  const found = KINDS.map(([kind, key]) => [kind, metadataOf(key, owner)] as const).filter(
    ([, list]) => list.length > 0,
  );
  return found.length === 0 ? NO_ENHANCERS.effective : new Map(found);
}

/**
 * Tells Nest that tools of this class are entry points, as Nest does for resolvers and gateways.
 */
export function markAsEntryProvider(target: object): void {
  Reflect.defineMetadata(ENTRY_PROVIDER, true, typeof target === 'function' ? target : target.constructor);
}

/** The message for a tool with enhancers that is used without a container. */
export function unrunEnhancersText(place: string, kinds: Iterable<EnhancerKind>): string {
  return (
    `${place} has ${[...kinds].join(' and ')}, which would not run: the object is used outside the Nest ` +
    'container. Provide its class in a module and use the ChatClient of AiModule.'
  );
}

/**
 * The message for enhancers that would not run, or metadata that guards would not see. Undefined
 * if nothing is lost.
 */
export function lostEnhancersText(place: string, { lost, lostMetadata }: Enhancers): string | undefined {
  const parts = [...lost, ...(lostMetadata.length > 0 ? [namedMetadata(lostMetadata)] : [])];
  if (parts.length === 0) return undefined;
  return (
    `${place} would run without its ${parts.join(' and ')}: they are on a method that a subclass overrides or another ` +
    'decorator replaces. Repeat them on the overriding method. Put @UseGuards(), @SetMetadata() and similar decorators ' +
    'above decorators that replace the method.'
  );
}

/** Whether a class or function has any metadata. Most methods have none. */
function hasMetadata(place: unknown): boolean {
  for (let at: unknown = place; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    if (Reflect.getOwnMetadataKeys(at).length > 0) return true;
  }
  return false;
}

function metadataOf(key: string, place: unknown): readonly unknown[] {
  const value: unknown = typeof place === 'function' ? Reflect.getMetadata(key, place) : undefined;
  return Array.isArray(value) ? (value as readonly unknown[]) : NONE;
}
