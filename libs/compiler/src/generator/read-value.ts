import type { JsonKind, JsonSchema, TypedRevive } from '@nestor-ai/schema/format';

/** A type that several places share, or that contains itself. Written when all of them are known. */
export interface SharedType {
  /** The name in `$defs`, if no other type has it. */
  readonly name: string;
  /** Undefined while it is read. */
  value: ReadValue | undefined;
  isRecursive: boolean;
}

/** A schema in which `$ref` may be a {@link SharedType}. */
export type OpenSchema = JsonSchema;

/** A {@link TypedRevive} in which `ref` may be a {@link SharedType}. */
export type OpenRevive =
  | Exclude<TypedRevive, object>
  | { readonly array: OpenRevive }
  | { readonly tuple: readonly (OpenRevive | null)[]; readonly rest?: OpenRevive }
  | { readonly set: OpenRevive | null }
  | { readonly map: OpenRevive | null }
  | {
      readonly object: Readonly<Record<string, OpenRevive>>;
      readonly values?: OpenRevive;
      readonly instance?: number;
    }
  | { readonly class: number }
  | { readonly by: string; readonly cases: Readonly<Record<string, OpenRevive>> }
  | { readonly kinds: Readonly<Partial<Record<JsonKind, OpenRevive>>> }
  | { readonly ref: SharedType }
  /** One of several conversions. Chosen when all types are known. */
  | { readonly alternatives: readonly OpenRevive[]; readonly choose: () => OpenRevive | undefined };

/** What was read of a type. */
export interface ReadValue {
  readonly schema: OpenSchema;
  /** Undefined if the JSON value is passed as it is. */
  readonly revive?: OpenRevive;
  /** What comments say of the values of an enum. It ends each description. */
  readonly meanings?: string;
}

/** Whether a conversion converts anything, besides references to itself. */
export function isConverted(revive: OpenRevive, seen = new Set<SharedType>()): boolean {
  if (typeof revive === 'string' || 'set' in revive || 'map' in revive || 'class' in revive) return true;
  if ('object' in revive && revive.instance !== undefined) return true;
  return partsOf(revive, seen).some((part) => isConverted(part, seen));
}

/** Whether a conversion refers to a type that is still being read. */
export function isOpen(revive: OpenRevive, seen = new Set<SharedType>()): boolean {
  if (typeof revive === 'object' && 'ref' in revive && !revive.ref.value) return true;
  return partsOf(revive, seen).some((part) => isOpen(part, seen));
}

/** The conversions inside of a conversion. Each shared type is entered once. */
function partsOf(revive: OpenRevive, seen: Set<SharedType>): readonly OpenRevive[] {
  if (typeof revive === 'string' || 'class' in revive) return [];
  if ('ref' in revive) {
    const { ref } = revive;
    if (seen.has(ref)) return [];
    seen.add(ref);
    return ref.value?.revive ? [ref.value.revive] : [];
  }
  const parts: readonly (OpenRevive | null | undefined)[] =
    'array' in revive
      ? [revive.array]
      : 'set' in revive
        ? [revive.set]
        : 'map' in revive
          ? [revive.map]
          : 'tuple' in revive
            ? [...revive.tuple, revive.rest]
            : 'by' in revive
              ? Object.values(revive.cases)
              : 'kinds' in revive
                ? Object.values(revive.kinds)
                : 'alternatives' in revive
                  ? revive.alternatives
                  : [...Object.values(revive.object), revive.values];
  return parts.filter((part) => part !== null && part !== undefined);
}
