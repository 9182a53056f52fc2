/** A place where a fault can be planted: `original` is its first line, `changed` what the fault changes. */
export interface Place {
  file: string;
  line: number;
  kind: 'negated condition' | 'dropped await' | 'swapped arguments' | 'removed line';
  original: string;
  changed: string;
  start: number;
  end: number;
  /** Where the innermost function starts. */
  owner: number;
}

/** Finds all places of a source, outer ones first. */
export function placesOf(file: string, text: string): Place[];
