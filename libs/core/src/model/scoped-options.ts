import type { ChatOptions } from './chat-options.js';
import type { Prompt } from './prompt.js';
import type { RequestServices } from './request-services.js';
import { REQUEST_SCOPE } from './request-scope.js';
import { RUNNING_TURNS } from './running-turns.js';
import type { TurnScope } from './turn-control.js';

/** The scope of a request. Undefined for options that no `ChatClient` created. */
export function scopeOf(options: ChatOptions | undefined): TurnScope | undefined {
  return options?.[REQUEST_SCOPE] as TurnScope | undefined;
}

/**
 * The services that the application gives to a request, such as those of an `AiExtension`. For advisors.
 *
 * @returns undefined for a client outside an application
 */
export function servicesOf({ prompt }: { readonly prompt: Prompt }): RequestServices | undefined {
  return scopeOf(prompt.options)?.services;
}

/**
 * Gives models a signal that also covers aborts other than the caller's. The getter creates the
 * signal only when a model reads `options.signal`, because an `AbortSignal` costs more than the
 * rest of a turn. All options share one getter: V8 would keep one hidden class per getter.
 */
const TURN_SIGNAL: PropertyDescriptor & ThisType<ChatOptions> = {
  get() {
    return scopeOf(this)?.turn?.signal;
  },
  enumerable: true,
  configurable: true,
};

/**
 * Adds a scope to options. If the caller gave no signal, `options.signal` is the signal of the
 * current turn.
 */
export function withScope(options: ChatOptions, scope: TurnScope): ChatOptions {
  if (!scope.services?.get(RUNNING_TURNS) || callerSignalOf(options)) return { ...options, [REQUEST_SCOPE]: scope };
  // Define this property first: V8 takes several times as long for an object that has other
  // properties.
  const made = Object.defineProperty({}, 'signal', TURN_SIGNAL) as { [REQUEST_SCOPE]: TurnScope };
  Object.assign(made, 'signal' in options ? withoutSignal(options) : options);
  made[REQUEST_SCOPE] = scope;
  return made;
}

/** Whether options have this scope, and also a signal if an application can abort the turn. */
export function isScoped(options: ChatOptions | undefined, scope: TurnScope): options is ChatOptions {
  if (scopeOf(options) !== scope) return false;
  if (!scope.services?.get(RUNNING_TURNS)) return true;
  const signal = Object.getOwnPropertyDescriptor(options!, 'signal');
  return signal?.get !== undefined || signal?.value !== undefined;
}

function withoutSignal({ signal: _signal, ...options }: ChatOptions): ChatOptions {
  return options;
}

/** The signal that the caller gave, not the signal of the turn. */
export function callerSignalOf(options: ChatOptions | undefined): AbortSignal | undefined {
  return options && (Object.getOwnPropertyDescriptor(options, 'signal')?.value as AbortSignal | undefined);
}
