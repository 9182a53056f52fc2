// Template literals, branded types, and classes that JSON writes as text or arrays.

export type Hex = `#${string}`;
export type Version = `v${number}.${number}`;
export type Side = `${'top' | 'bottom'}-${'left' | 'right'}`;
export type Switch = `is-${boolean}`;
export interface Links {
  color: Hex;
  side?: Side;
}
export type UserId = string & { readonly __brand: 'UserId' };
export type Cents = number & { readonly __brand: unique symbol };
export interface Invoice {
  user: UserId;
  total: Cents;
}
export interface Meeting {
  at: Date;
  until?: Date;
}
export type Moment = Date;
export type Moments = Date[];
export type DateOrText = { at: Date | null };
export type Address = URL;
export interface Bookmark {
  url: URL;
  title?: string;
}
export type Lookup = Map<string, number>;
export type Unique = Set<string>;
export type FrozenUnique = ReadonlySet<number>;
export interface Collections {
  byName: Map<string, { id: number }>;
  tags: Set<'a' | 'b'>;
}
export type Pattern = RegExp;
