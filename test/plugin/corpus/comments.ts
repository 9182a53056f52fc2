// What comments say: descriptions and keywords.

/** A city of the world. */
export interface City {
  /** The name, as its people write it. */
  name: string;
  /**
   * How many people live there.
   * @minimum 0
   * @asType integer
   */
  population: number;
}
export interface Limits {
  /** @minimum 1 @maximum 10 */
  both: number;
  /** @exclusiveMinimum 0 */
  above: number;
  /** @exclusiveMaximum 100 */
  below: number;
  /** @multipleOf 0.5 */
  steps: number;
}
export interface TextLimits {
  /** @minLength 2 */
  least: string;
  /** @maxLength 5 */
  most: string;
  /** @pattern ^[a-z]+$ */
  letters: string;
  /** @format email */
  email: string;
  /** @format date-time */
  at: string;
}
export interface ItemLimits {
  /**
   * @minItems 1
   * @maxItems 3
   */
  few: string[];
  /** @uniqueItems true */
  unique: number[];
}
export interface Defaults {
  /** @default 10 */
  count?: number;
  /** @default "celsius" */
  unit?: string;
  /** @default true */
  on?: boolean;
  /** @default ["a", "b"] */
  list?: string[];
  /** @default {"a": 1} */
  object?: { a: number };
  /** @default null */
  nothing?: string | null;
}
export interface Examples {
  /** @example "Paris" */
  one: string;
  /** @examples ["Paris", "Rome"] */
  several: string;
  /**
   * @example 1
   * @example 2
   */
  numbers: number;
}
export interface Titles {
  /** @title The title */
  a: string;
  /** @deprecated */
  old?: string;
  /** @readOnly true */
  fixed?: string;
}
export interface Integers {
  /** @asType integer */
  count: number;
  /** @asType integer */
  several?: number[];
}
/**
 * Says several things.
 *
 * In two paragraphs, with `code` and {@link City}.
 */
export interface LongComment {
  /**
   * A first line
   * that goes on.
   *
   * - an item
   * - another one
   */
  text: string;
}
/** A described alias. */
export type DescribedText = string;
export interface UsesDescribed {
  plain: DescribedText;
  /** Described at the property. */
  own: DescribedText;
  city?: City;
  /** The city where it starts. */
  start: City;
}
/** @minLength 3 */
export type LongText = string;
/** @pattern ^\d{4}-\d{2}$ */
export type Month = string;
export interface ManyMonths {
  months: Month[];
  first: Month;
}
/** A unit of temperature. */
export type DescribedUnit = 'celsius' | 'fahrenheit';
/** Some tags. */
export type DescribedTags = string[];
export interface UsesMoreDescribed {
  unit: DescribedUnit;
  tags?: DescribedTags;
  months: Month[] | null;
}
