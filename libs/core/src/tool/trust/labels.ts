import { TOOL_EFFECTS, type ToolEffect, type ToolLabels } from '../../model/tool-labels.js';

/** Merges the labels of one tool from two places. The more cautious value wins. */
export function moreCautious(one: ToolLabels, other: ToolLabels): ToolLabels {
  const effect = moreSerious(one.effect, other.effect);
  const untrusted = one.untrusted || other.untrusted;
  return { ...(effect && { effect }), ...(untrusted && { untrusted }) };
}

function moreSerious(one: ToolEffect | undefined, other: ToolEffect | undefined): ToolEffect | undefined {
  if (!one || !other) return one ?? other;
  return rankOf(one) < rankOf(other) ? other : one;
}

/** An unknown effect ranks highest, so that it is kept and `checkPolicies()` reports it. */
function rankOf(effect: ToolEffect): number {
  const rank = TOOL_EFFECTS.indexOf(effect);
  return rank < 0 ? TOOL_EFFECTS.length : rank;
}
