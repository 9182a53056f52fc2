/**
 * What other packages of Nestor need beyond the public names. It changes without notice: each of them
 * depends on the exact version of this one.
 *
 * @module @nestor-ai/core/internal
 */
export { EVENT_HOOKS, eventNameOf } from './nest/events/event-names.js';
