import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { errorTypeOf, framesOf } from '../../model/error-type.js';
import type { AiEvent } from './ai-event.js';

/** Marks classes with hooks. A property, since metadata is slow to look up. */
export const EVENT_HOOKS: unique symbol = Symbol.for('nestor.EventHooks');

const PREFIX = 'ai';

/** The name of an event for `@nestjs/event-emitter`: `ai.tool-call`. */
export function eventNameOf(type: AiEvent['type']): string {
  return `${PREFIX}.${type}`;
}

/**
 * Whether a listener may receive an event of Nestor.
 *
 * @param name the name that it listens to, as text or, with wildcards, as an array of parts
 */
function mayHear(name: unknown): boolean {
  const [first] = Array.isArray(name) ? (name as unknown[]) : String(name).split('.');
  return first === PREFIX || String(first).includes('*') || String(first).startsWith(`${PREFIX}.`);
}

/** The part of `EventEmitter2` from `@nestjs/event-emitter` that Nestor uses. */
interface Emitter {
  emit(name: string, event: unknown): unknown;
  eventNames(): readonly unknown[];
  listenersAny(): readonly unknown[];
}

/** The provider of `EventEmitterModule` that registers listeners and hooks. */
const LOADER = 'EventSubscribersLoader';

/** Passes events on to the `EventEmitter2` of the application, if there is one. */
@Injectable()
export class EventEmitterBridge {
  readonly #logger = new Logger('AiModule');
  #emitter: Emitter | undefined;
  #isFound = false;
  #isComplete = false;

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Call this when the application has started. After that, Nestor stops looking for an emitter.
   */
  complete(): void {
    this.#isComplete = true;
  }

  /** Whether there are listeners. */
  get isWatched(): boolean {
    const emitter = this.#find();
    return emitter !== undefined && (emitter.listenersAny().length > 0 || emitter.eventNames().some(mayHear));
  }

  /** Emits an event. Errors of listeners are logged and don't disturb the turn. */
  emit(event: AiEvent): void {
    const name = eventNameOf(event.type);
    try {
      this.#find()?.emit(name, event);
    } catch (error) {
      this.#logger.error(`A listener of ${name} failed: ${errorTypeOf(error)}`, framesOf(error));
    }
  }

  /** Finds classes with hooks in an application without `EventEmitterModule`. */
  check(): readonly string[] {
    if (this.#find()) return [];
    const withHooks = new Set<{ readonly name: string }>();
    const add = (type: unknown): void => {
      if (typeof type === 'function' && EVENT_HOOKS in type) withHooks.add(type);
    };
    for (const { metatype, instance } of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      add(metatype);
      // A provider with a factory has no class. Its instance does.
      add((instance as object | undefined)?.constructor);
    }
    return [...withHooks].map(
      ({ name }) =>
        `${name} has hooks such as @OnToolCall(), but nothing calls them. Import EventEmitterModule.forRoot() from ` +
        '@nestjs/event-emitter into the root module.',
    );
  }

  #find(): Emitter | undefined {
    if (!this.#isFound) {
      const providers = this.discovery.getProviders();
      const loader = providers.find(({ token }) => typeof token === 'function' && token.name === LOADER);
      // An application may have several emitters. Nest registers listeners on this one.
      const found = loader && providers.find(({ host, token }) => host === loader.host && isEmitterClass(token));
      this.#emitter = found?.instance as Emitter | undefined;
      // Some modules may not exist yet.
      this.#isFound = this.#emitter !== undefined || this.#isComplete;
    }
    return this.#emitter;
  }
}

/**
 * Whether a class is an event emitter. Its methods decide, since the package is optional and other
 * classes have the same name.
 */
function isEmitterClass(token: unknown): boolean {
  const { prototype } = (typeof token === 'function' ? token : {}) as { prototype?: Partial<Record<string, unknown>> };
  return ['emit', 'eventNames', 'listenersAny'].every((name) => typeof prototype?.[name] === 'function');
}
