/*
 * The one store of the page. Components read what is here with `useStore()`, and what the server has
 * with `useLoaded()`. Only the functions of `store/` change it:
 *
 * - `state.ts`: what the page knows, and what of it a reload keeps
 * - `loaded.ts`: what the server has, loaded once for all that show it
 * - `connection.ts`: what happens elsewhere, such as changes of turns
 * - `runs.ts`: turns that the page runs
 * - `actions.ts`: what its user does
 */
export * from './store/actions.js';
export { connect } from './store/connection.js';
export { turnPath, useAllLoaded, useLoaded, useSettings } from './store/loaded.js';
export { stop } from './store/runs.js';
export { CHAT, type Settings, UNTRIED, useStore } from './store/state.js';
