// Enums, and unions of literals that do their work.

export enum Direction {
  North,
  South,
  West = 10,
}
export enum Color {
  Red = 'red',
  Green = 'green',
}
export enum Mixed {
  Zero = 0,
  Text = 'text',
}
export enum Single {
  Only = 'only',
}
export const enum Level {
  Low = 1,
  High = Low << 2,
}
export type ColorMember = Color.Red;
export type SomeColors = Exclude<Color | Single, Color.Green>;
export type DirectionName = keyof typeof Direction;
export type ColorText = `${Color}`;
export interface Painting {
  color: Color;
  background?: Color | null;
  frames: Direction[];
}
export type Unit = 'celsius' | 'fahrenheit' | 'kelvin';
export type Dice = 1 | 2 | 3 | 4 | 5 | 6;
export type TextOrZero = 'auto' | 0 | false | null;
