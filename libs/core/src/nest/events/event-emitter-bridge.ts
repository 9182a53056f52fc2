import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { errorTypeOf, framesOf } from '../../observability/error-type.js';
import type { AiEvent } from './ai-event.js';
import { eventNameOf, HOOKS } from './event-names.js';

/** What is used of `EventEmitter2`, which an application may have from `@nestjs/event-emitter`. */
interface Emitter {
  emit(name: string, event: unknown): unknown;
  listenerCount(name: string): number;
  eventNames(): readonly unknown[];
}

/** Hands events on to the `EventEmitter2` of the application, where there is one. */
@Injectable()
export class EventEmitterBridge {
  readonly #logger = new Logger('AiModule');
  #emitter: Emitter | undefined;
  #isFound = false;
  #isComplete = false;

  constructor(private readonly discovery: DiscoveryService) {}

  /** The application is made: an emitter that is not there by now does not come. */
  complete(): void {
    this.#isComplete = true;
  }

  /** Whether anybody listens to any event of the application. */
  get isWatched(): boolean {
    const emitter = this.#find();
    return emitter !== undefined && emitter.eventNames().length > 0;
  }

  /** A listener that throws is told of and disturbs no turn. */
  emit(event: AiEvent): void {
    const emitter = this.#find();
    if (!emitter) return;
    const names = [eventNameOf(event.type)];
    if ('toolCall' in event) names.push(eventNameOf(event.type, event.toolCall.name));
    for (const [at, name] of names.entries()) {
      if (at > 0 && emitter.listenerCount(name) === 0) continue;
      try {
        emitter.emit(name, event);
      } catch (error) {
        this.#logger.error(`A listener of ${name} has failed: ${errorTypeOf(error)}`, framesOf(error));
      }
    }
  }

  /** What is wrong: classes with hooks, and nothing that would call them. */
  check(): readonly string[] {
    if (this.#find()) return [];
    const hosts = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    const types = hosts.flatMap(({ metatype }) =>
      typeof metatype === 'function' && Reflect.hasMetadata(HOOKS, metatype) ? metatype : [],
    );
    return [...new Set(types)].map(
      (type) =>
        `${type.name} has hooks such as @OnToolCall(), which nobody would call: import EventEmitterModule.forRoot() of ` +
        '@nestjs/event-emitter into the root module.',
    );
  }

  #find(): Emitter | undefined {
    if (!this.#isFound) {
      this.#emitter = this.discovery
        .getProviders()
        .filter(({ token }) => isEmitterClass(token))
        .map(({ instance }) => instance as Emitter | undefined)
        .find((instance) => instance !== undefined);
      // Modules may still be made.
      this.#isFound = this.#emitter !== undefined || this.#isComplete;
    }
    return this.#emitter;
  }
}

/** Told by what it can, since the package need not be there, and its class has the name that many have. */
function isEmitterClass(token: unknown): boolean {
  const { prototype } = (typeof token === 'function' ? token : {}) as { prototype?: Partial<Record<string, unknown>> };
  return ['emit', 'onAny', 'eventNames', 'listenerCount'].every((name) => typeof prototype?.[name] === 'function');
}
