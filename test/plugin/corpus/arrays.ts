// Arrays and tuples.

export type Texts = string[];
export type GenericArray = Array<number>;
export type FrozenArray = readonly boolean[];
export type ReadonlyTexts = ReadonlyArray<string>;
export type Matrix = number[][];
export type MixedArray = (string | number)[];
export type LiteralArray = ('a' | 'b')[];
export type ObjectArray = { id: number }[];
export type Pair = [string, number];
export type NamedTuple = [latitude: number, longitude: number];
export type OptionalTuple = [string, number?];
export type RestTuple = [string, ...number[]];
export type OptionalRestTuple = [string, boolean?, ...number[]];
export type NonEmpty = [string, ...string[]];
export type FrozenTuple = readonly [1, 'two', { three: 3 }];
export type EmptyTuple = [];
export type NestedTuple = [[number, number], [number, number]];
export interface Track {
  points: [number, number][];
  labels?: readonly string[];
}
