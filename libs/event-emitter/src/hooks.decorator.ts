import 'reflect-metadata';
import { OnEvent, type OnEventOptions } from '@nestjs/event-emitter';
import type { AiEvent } from '@nestor-ai/core';
import { EVENT_HOOKS } from '@nestor-ai/core/internal';
import { eventNameOf } from './ai-event-emitter.module.js';

/** The options of a hook. `tool` is the name of the tool. Default: all tools. */
export type HookOptions = OnEventOptions & { readonly tool?: string };

/**
 * Calls a method when a model asks for a tool, before the tool runs. The method receives an
 * `AiEventOf<'tool-call'>`. It cannot prevent the call; use a guard for that. As with every
 * `@OnEvent()`, the method is not awaited, and its errors are logged.
 *
 * @param tool the name of the tool, or options; default: all tools
 * @example
 * \@OnToolCall('refund')
 * audit({ toolCall, client }: AiEventOf<'tool-call'>) { … }
 */
export const OnToolCall = hookOf('tool-call');

/** Like {@link OnToolCall}, when a tool reports progress. */
export const OnToolProgress = hookOf('tool-progress');

/** Like {@link OnToolCall}, when a tool has answered. */
export const OnToolResult = hookOf('tool-result');

/** Like {@link OnToolCall}, when a call has failed or did not run. */
export const OnToolError = hookOf('tool-error');

/** Calls a method when a turn begins, with an `AiEventOf<'turn-start'>`. */
export const OnTurnStart = (options?: OnEventOptions): MethodDecorator => hook('turn-start', options);

/** Calls a method when a turn has ended, with an `AiEventOf<'turn-end'>`. */
export const OnTurnEnd = (options?: OnEventOptions): MethodDecorator => hook('turn-end', options);

function hookOf(type: AiEvent['type']): (tool?: string | HookOptions) => MethodDecorator {
  return (given) => {
    const { tool, ...options } = typeof given === 'string' ? { tool: given } : (given ?? {});
    return hook(type, options, tool);
  };
}

function hook(type: AiEvent['type'], options?: OnEventOptions, tool?: string): MethodDecorator {
  const listen = OnEvent(eventNameOf(type), options);
  return (target, key, descriptor) => {
    // Lets the bootstrap report hooks that nothing would call.
    Object.defineProperty(typeof target === 'function' ? target : target.constructor, EVENT_HOOKS, { value: true });
    if (tool === undefined) return listen(target, key, descriptor);
    if (typeof key === 'symbol') {
      throw new TypeError(`The hook for the tool '${tool}' needs a method with a string name, not a symbol.`);
    }
    // Filtered here and not by the event name, because tool names come from models and may contain
    // wildcards.
    const filtered = {
      configurable: true,
      value(this: Record<string, (event: AiEvent) => unknown>, event: AiEvent): unknown {
        const isMeant = 'toolCall' in event && event.toolCall.name === tool && ownerOf(this, key) === target;
        return isMeant ? this[key]!(event) : undefined;
      },
    };
    const name = `${key} (${type} ${tool})`;
    listen(target, name, filtered);
    Object.defineProperty(target, name, filtered);
    return descriptor;
  };
}

/**
 * The prototype that defines a method. A subclass that overrides the method declares its own
 * hooks.
 */
function ownerOf(instance: object, key: string): unknown {
  let owner: unknown = Object.getPrototypeOf(instance);
  while (owner && !Object.hasOwn(owner, key)) owner = Object.getPrototypeOf(owner);
  return owner;
}
