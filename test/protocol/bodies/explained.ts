import type { Difference } from './compare.js';
import type { ProviderName } from './providers.js';
import type { TurnName } from './turns.js';

/** A reason why two bodies differ. */
export interface Explanation {
  readonly turns: readonly TurnName[] | 'all';
  readonly providers: readonly ProviderName[] | 'all';
  /** The paths of the difference. Any path by default. */
  readonly paths?: readonly string[];
  /** Whether the values are those that the reason speaks of. */
  readonly when?: (difference: Difference) => boolean;
  readonly reason: string;
}

/** Explanations of differences, and the turns in which each was needed. */
export class Explained {
  readonly #used = new Set<string>();

  constructor(private readonly explanations: readonly Explanation[]) {}

  /** Whether a difference has an explanation. */
  has(provider: ProviderName, turn: TurnName, difference: Difference): boolean {
    const at = this.explanations.findIndex(
      ({ providers, turns, paths, when = () => true }) =>
        includes(providers, provider) &&
        includes(turns, turn) &&
        (!paths || paths.includes(difference.path)) &&
        when(difference),
    );
    if (at >= 0)
      for (const place of placesOf(this.explanations[at]!, provider, turn)) this.#used.add(`${at}: ${place}`);
    return at >= 0;
  }

  /** What explanations name although nothing differs there any more. */
  get unused(): string[] {
    return this.explanations.flatMap((explanation, at) => {
      const { providers, turns, reason } = explanation;
      const named = (providers === 'all' ? (['all'] as const) : providers).flatMap((provider) =>
        (turns === 'all' ? (['all'] as const) : turns).map((turn) => `${provider}, ${turn}`),
      );
      return named.filter((place) => !this.#used.has(`${at}: ${place}`)).map((place) => `${place}: ${reason}`);
    });
  }
}

/** The place of a difference as its explanation names it. */
function placesOf({ providers, turns }: Explanation, provider: ProviderName, turn: TurnName): string[] {
  return [`${providers === 'all' ? 'all' : provider}, ${turns === 'all' ? 'all' : turn}`];
}

function includes<Value>(values: readonly Value[] | 'all', value: Value): boolean {
  return values === 'all' || values.includes(value);
}
