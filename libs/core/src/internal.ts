/**
 * What other packages of Nestor need beyond the public names. It changes without notice: each of them
 * depends on the exact version of this one.
 *
 * @module @nestor-ai/core/internal
 */
export { costOf } from './advisor/budget/prices.js';
export { forOtherModel } from './advisor/other-model.js';
export { classifyFailure } from './execution/classify-failure.js';
export { jsonPart } from './memory/message-json.js';
export { onAbort } from './model/aborts.js';
export { ApprovalRequiredException } from './model/approval-required.js';
export type { Awaitable } from './model/awaitable.js';
export { boundedCache } from './model/bounded-cache.js';
export { ChatResponseAggregation } from './model/message-aggregator.js';
export { toMessage } from './model/messages.js';
export { scopeOf } from './model/scoped-options.js';
export { settledWithin } from './model/settled-within.js';
export { streamOf } from './model/stream-of.js';
export { createToolDefinition } from './model/tool-definition.js';
export { TurnControl } from './model/turn-control.js';
export { EVENT_HOOKS, eventNameOf } from './nest/events/event-names.js';
export { JoinedWatch } from './nest/events/joined-watch.js';
export { TOOL_SUBSTITUTES } from './nest/invocation/tool-substitutes.js';
export { policiesOf } from './tool/policies.js';
export { ToolUnavailableException, isA, statusOf } from './tool/tool-execution.exception.js';
