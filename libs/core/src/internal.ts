/**
 * What other packages of Nestor need beyond the public names. It changes without notice: each of them
 * depends on the exact version of this one.
 *
 * @module @nestor-ai/core/internal
 */
export { isMemoryAdvisor, isToolAdvisor } from './advisor/advisor.js';
export { comparableText } from './advisor/comparable-text.js';
export type { ApprovalRules } from './advisor/approvals/approval-policy.js';
export { findToDecide, goingOn } from './advisor/resumption-checks.js';
export type { TurnSeeker } from './advisor/approvals/turn-lookup.js';
export { HIDDEN, TOOL_FAILED } from './client/browser-view.js';
export { STORED_TURNS, type StoredTurns, type TurnToQueue } from './client/stored-turns.js';
export type { EventsOptions } from './client/response.builders.js';
export type { TurnWorkerFacts } from './client/turn-worker-facts.js';
export { JOB_QUEUE } from './execution/job-queue.js';
export { readApprovalId, toApprovalId } from './advisor/approvals/approval-id.js';
export { requestText, responseText } from './advisor/exchange-text.js';
export { hasContent } from './advisor/has-content.js';
export { advisorsBehind } from './advisor/loop-entry.js';
export { checkAdvisorOrder } from './advisor/ordered.js';
export { STAND_IN } from './advisor/chat-model-advisor.js';
export { forOtherModel } from './advisor/other-model.js';
export { requireOptions } from './advisor/required-options.js';
export { toAnswer } from './advisor/stopped-answer.js';
export { cleanOutput } from './advisor/structured-output/output-text.js';
export { classifyFailure } from './execution/classify-failure.js';
export { READ_TOOL_RESULT } from './execution/result-pages.js';
export { TOOL_CALLING_MANAGER } from './execution/tool-calling-manager.js';
export { type HeartbeatOptions, withHeartbeat } from './client/heartbeat.js';
export { hiddenQuestion, tellOfFailure, toPublic, toSafeJson } from './client/public-events.js';
export { toText } from './client/shown-contents.js';
export { toComment } from './client/to-sse.js';
export { checkOwner, requireOwner, type Speaker } from './memory/conversation-owner.exception.js';
export { SUMMARY, viewOf } from './memory/conversation-view.js';
export { jsonPart } from './memory/message-json.js';
export { inTime, onAbort } from './model/aborts.js';
export { ApprovalRequiredException } from './tool/tool-execution.exception.js';
export type { Awaitable } from './model/awaitable.js';
export { boundedCache } from './model/bounded-cache.js';
export { REDACTOR } from './model/content-redactor.js';
export { ChatResponseAggregation } from './model/message-aggregator.js';
export { estimateTokensOf } from './model/message-tokens.js';
export { toMessage } from './model/messages.js';
export { REQUEST_SCOPE, RequestScope } from './model/request-scope.js';
export { scopeOf } from './model/scoped-options.js';
export { settledWithin } from './model/settled-within.js';
export { SingleFlight } from './model/single-flight.js';
export { streamOf } from './model/stream-of.js';
export { createToolDefinition } from './model/tool-definition.js';
export { TurnControl } from './model/turn-control.js';
export { hasUntrusted } from './model/untrusted.js';
export { hasUsage, totalOf } from './model/usage.js';
export { EVENT_HOOKS, eventNameOf } from './nest/events/event-emitter-bridge.js';
export { BootstrapProblems } from './nest/bootstrap-problems.js';
export { asDefaults, OF_AI_MODULE } from './nest/package-providers.js';
export { OwnProperties, SERVED_BY } from './nest/extensions/ai-extension.js';
export { TOOL_SUBSTITUTES } from './nest/invocation/tool-instances.js';
export { checkTimeout, MAX_TIMEOUT } from './tool/check-timeout.js';
export { policiesOf } from './tool/policies.js';
export { toJsonText } from './tool/result/to-json-text.js';
export { isA, statusOf, ToolUnavailableException } from './tool/tool-execution.exception.js';
export { idOrOther, nameOrOther } from './model/error-type.js';
export { redact } from './observability/redacted.js';
export { PRINCIPAL } from './model/turn-principal.js';
export type { DeliveredResult } from './model/deferred-call.js';
export { endTurn } from './memory/suspended-turn.repository.js';
export { BLANK_TURN, TurnState } from './memory/turn-state.js';
export { checkEntriesAreKnown, whyUnknown } from './memory/unknown-entries.js';
