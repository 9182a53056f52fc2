// Generics as instantiated, and inheritance.

export interface Box<T> {
  value: T;
}
export interface Page<T, Cursor = string> {
  items: T[];
  next?: Cursor;
}
export type BoxOfText = Box<string>;
export type BoxOfBox = Box<Box<number>>;
export type PageOfBoxes = Page<Box<boolean>>;
export type PageByNumber = Page<string, number>;
export type Either<L, R> = { left: L } | { right: R };
export type TextOrError = Either<string, { message: string }>;
export type Maybe<T> = T | null;
export type MaybeCount = Maybe<number>;
export interface TwoBoxes {
  first: Box<string>;
  second: Box<number>;
  third?: Box<'literal'>;
}
export interface Base {
  id: string;
}
export interface Timestamped {
  createdAt: string;
}
export interface User extends Base {
  name: string;
}
export interface Admin extends User, Timestamped {
  rights: string[];
}
export interface NarrowUser extends Base {
  id: 'a' | 'b';
}
export interface TextBox extends Box<string> {
  label?: string;
}
export interface OmitBase extends Omit<Admin, 'rights'> {
  level: number;
}
