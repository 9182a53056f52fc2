import type { JsonSchema, TypedRevive } from '@nestor-ai/schema/format';

/** A type that several places share, or that contains itself. Written when all of them are known. */
export interface SharedType {
  /** The name in `$defs`, if no other type has it. */
  readonly name: string;
  /** Undefined while it is read. */
  value: ReadValue | undefined;
  isRecursive: boolean;
}

/** A {@link TypedRevive} in which `ref` is a {@link SharedType}. */
export type OpenRevive = TypedRevive<SharedType, Alternatives>;

/** One of several conversions. Chosen when all types are known. */
interface Alternatives {
  readonly alternatives: readonly OpenRevive[];
  readonly choose: () => OpenRevive | undefined;
}

/** What was read of a type. */
export interface ReadValue {
  /** `$ref` may be a {@link SharedType}. */
  readonly schema: JsonSchema;
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
  const { array, set, map, rest, values, tuple = [], alternatives = [], cases, kinds, object } = revive as Fields;
  const named = Object.values({ ...cases, ...kinds, ...object });
  const parts = [array, set, map, rest, values, ...tuple, ...alternatives, ...named];
  return parts.filter((part) => part !== null && part !== undefined);
}

/** The fields of all conversions that contain others. */
type Fields = Partial<
  Record<'array' | 'set' | 'map' | 'rest' | 'values', OpenRevive | null> &
    Record<'tuple' | 'alternatives', readonly (OpenRevive | null)[]> &
    Record<'cases' | 'kinds' | 'object', Readonly<Record<string, OpenRevive>>>
>;
