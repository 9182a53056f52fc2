/**
 * What other packages of Nestor need beyond the public names. It changes without notice: each of them
 * depends on the exact version of this one.
 *
 * @module @nestor-ai/core/internal
 */
export { EVENT_HOOKS, eventNameOf } from './nest/events/event-names.js';
export { costOf } from './advisor/budget/prices.js';
export { forOtherModel } from './advisor/other-model.js';
export type { Awaitable } from './model/awaitable.js';
export { ChatResponseAggregation } from './model/message-aggregator.js';
export { toMessage } from './model/messages.js';
export { scopeOf } from './model/scoped-options.js';
export { streamOf } from './model/stream-of.js';
export type { TurnControl } from './model/turn-control.js';
export { JoinedWatch } from './nest/events/joined-watch.js';
export { TOOL_SUBSTITUTES } from './nest/invocation/tool-substitutes.js';
