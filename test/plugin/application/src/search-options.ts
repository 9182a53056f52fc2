/** How results are sorted. */
export type Order = 'nearest' | 'cheapest';

export interface SearchOptions {
  /** How many results there are at most. */
  limit?: number;
  order?: Order;
}
