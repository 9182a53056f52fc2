import { OnEvent, type OnEventOptions } from '@nestjs/event-emitter';
import type { AiEvent } from '../nest/events/ai-event.js';
import { eventNameOf, HOOKS } from '../nest/events/event-names.js';

/** The tool of which a hook wants to know. Default: all. */
export type HookOptions = OnEventOptions & { readonly tool?: string };

/**
 * Calls a method when a model asks for a tool, before it is run. The method receives an `AiEventOf<'tool-call'>`; it cannot keep the call from
 * running, which is what guards are for. As with every `@OnEvent()`, nobody waits for it, and what it throws is logged.
 *
 * @param tool the name of the tool, or options; default: all tools
 * @example
 * \@OnToolCall('refund')
 * audit({ toolCall, client }: AiEventOf<'tool-call'>) { … }
 */
export const OnToolCall = hookOf('tool-call');

/** As {@link OnToolCall}, when a tool tells how far it is. */
export const OnToolProgress = hookOf('tool-progress');

/** As {@link OnToolCall}, when a tool has answered. */
export const OnToolResult = hookOf('tool-result');

/** As {@link OnToolCall}, when a call has failed, or was not run. */
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
    // For the bootstrap, to say when there is nobody who would call it.
    Reflect.defineMetadata(HOOKS, true, typeof target === 'function' ? target : target.constructor);
    if (tool === undefined) return listen(target, key, descriptor);
    if (typeof key === 'symbol') throw new TypeError(`A hook for the tool '${tool}' needs a method with a name.`);
    // Asked here and not by the name of the event: names of tools are models' and may be wildcards.
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

/** The class that a method of an instance is of: a subclass that overrides it says itself what it hooks. */
function ownerOf(instance: object, key: string): unknown {
  let owner: unknown = Object.getPrototypeOf(instance);
  while (owner && !Object.hasOwn(owner, key)) owner = Object.getPrototypeOf(owner);
  return owner;
}
