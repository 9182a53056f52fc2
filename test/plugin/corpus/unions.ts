// Unions, those with a discriminator, and intersections.

export type TextOrNumber = string | number;
export type TextOrTexts = string | string[];
export type AnyScalar = string | number | boolean | null;
export type WithLiterals = 'auto' | number;
// eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- what is absorbed
export type AbsorbedLiteral = string | 'known';
export type HintedText = 'small' | 'large' | (string & {});
export interface Cat {
  name: string;
  lives: number;
}
export interface Dog {
  name: string;
  breed?: string;
}
export type Pet = Cat | Dog;
export type PetOrText = Pet | string;
export type Pets = Pet[];
export interface Circle {
  kind: 'circle';
  radius: number;
}
export interface Square {
  kind: 'square';
  side: number;
}
export interface Rectangle {
  kind: 'rectangle';
  width: number;
  height: number;
}
export type Shape = Circle | Square | Rectangle;
export type Shapes = readonly Shape[];
export interface Drawing {
  title: string;
  background?: Shape;
  shapes: Shape[];
}
export type Result = { ok: true; value: string } | { ok: false; error: { code: number } };
export type Versioned = { version: 1; a: string } | { version: 2; b: string };
export type NullableShape = Shape | null;
export type SharedKind = { kind: 'a' | 'b'; x: number } | { kind: 'c'; y: number };
export type Both = { a: string } & { b: number };
export type Named = Point2 & { name: string };
export interface Point2 {
  x: number;
  y?: number;
}
export type Narrowed = { value: string | number } & { value: number };
export type NarrowedOptional = { value?: string } & { value: string };
export type Distributed = { id: string } & ({ a: number } | { b: boolean });
export type Three = { a: 1 } & { b: 2 } & { c?: 3 };
