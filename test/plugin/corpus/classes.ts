// Classes without decorators, and index signatures.

export class Coordinates {
  latitude!: number;
  longitude!: number;
}
export class WithDefaults {
  count = 5;
  unit: 'c' | 'f' = 'c';
  label?: string;
}
export class WithMethods {
  constructor(readonly name: string) {}
  greet(): string {
    return this.name;
  }
}
export class WithPrivate {
  open!: string;
  protected half = 1;
  private hidden = 2;
  sum(): number {
    return this.half + this.hidden;
  }
}
export class WithStatic {
  static shared = 1;
  own!: boolean;
}
export class Animal {
  name!: string;
}
export class Horse extends Animal {
  speed?: number;
}
export class Pack<T> {
  items!: T[];
}
export type PackOfHorses = Pack<Horse>;
export abstract class Vehicle {
  wheels!: number;
}
export interface TextIndex {
  [key: string]: number;
}
export interface IndexAndKeys {
  [key: string]: string | number;
  id: number;
}
export interface NumberIndex {
  [key: number]: string;
}
export interface TemplateIndex {
  [key: `data-${string}`]: string;
}
export interface AnythingElse {
  id: string;
  [key: string]: unknown;
}
export interface IndexOfObjects {
  [id: string]: { name: string };
}
