// Primitives and literals.

export type Text = string;
export type Count = number;
export type Flag = boolean;
export type Nothing = null;
export type Anything = unknown;
export interface AnyObject {
  value: object;
}
export interface EmptyObject {
  value: {};
}
export type TextLiteral = 'celsius';
export type NumberLiteral = 42;
export type NegativeLiteral = -1.5;
export type TrueLiteral = true;
export type EmptyText = '';
export type QuotedLiteral = 'it\'s "so"\n';
