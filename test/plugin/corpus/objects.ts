// Objects, optional properties and null.

export interface Point {
  x: number;
  y: number;
}
export interface Line {
  from: Point;
  to: Point;
}
export interface Preferences {
  theme?: string;
  size?: number;
  nested?: { deep?: boolean };
}
export interface Nullable {
  name: string | null;
  age?: number | null;
}
export interface MaybeUndefined {
  a: string | undefined;
  b?: number | undefined;
}
export interface QuotedKeys {
  'first-name': string;
  'with space'?: number;
  1: boolean;
  $ref: string;
}
export interface ReadonlyKeys {
  readonly id: string;
  readonly tags: readonly string[];
}
export type Inline = { a: { b: { c: 'deep' } } };
export interface NoProperties {}
export interface OnlyOptional {
  a?: string;
}
export interface Wide {
  a: string;
  b: number;
  c: boolean;
  d: null;
  e: string[];
  f: [number];
  g: { h: string };
  i?: unknown;
}
export type NullableText = string | null;
export type NullablePoint = Point | null;
export type OptionalPoint = { point?: Point | null };
