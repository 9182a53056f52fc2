import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { errorTypeOf, framesOf } from '../../observability/error-type.js';
import type { AiEvent } from './ai-event.js';
import { eventNameOf, HOOKS, mayHear } from './event-names.js';

/** What is used of `EventEmitter2`, which an application may have from `@nestjs/event-emitter`. */
interface Emitter {
  emit(name: string, event: unknown): unknown;
  eventNames(): readonly unknown[];
  listenersAny(): readonly unknown[];
}

/** Calls the listeners, and with it the hooks, of `EventEmitterModule`. */
const LOADER = 'EventSubscribersLoader';

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

  /** Whether anybody listens to what is told. */
  get isWatched(): boolean {
    const emitter = this.#find();
    return emitter !== undefined && (emitter.listenersAny().length > 0 || emitter.eventNames().some(mayHear));
  }

  /** A listener that throws is told of and disturbs no turn. */
  emit(event: AiEvent): void {
    const name = eventNameOf(event.type);
    try {
      this.#find()?.emit(name, event);
    } catch (error) {
      this.#logger.error(`A listener of ${name} has failed: ${errorTypeOf(error)}`, framesOf(error));
    }
  }

  /** What is wrong: classes with hooks, and nothing that would call them. */
  check(): readonly string[] {
    if (this.#find()) return [];
    const hosts = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    // What a factory makes has no class of its own but that of what it has made.
    const types = hosts.flatMap(({ metatype, instance }) => [metatype, (instance as object | undefined)?.constructor]);
    const withHooks = types.filter((type) => typeof type === 'function' && Reflect.hasMetadata(HOOKS, type));
    return [...new Set(withHooks)].map(
      (type) =>
        `${type!.name} has hooks such as @OnToolCall(), which nobody would call: import EventEmitterModule.forRoot() of ` +
        '@nestjs/event-emitter into the root module.',
    );
  }

  #find(): Emitter | undefined {
    if (!this.#isFound) {
      const providers = this.discovery.getProviders();
      const loader = providers.find(({ token }) => typeof token === 'function' && token.name === LOADER);
      // An application may have other emitters; this is the one whose listeners are called.
      const found = loader && providers.find(({ host, token }) => host === loader.host && isEmitterClass(token));
      this.#emitter = found?.instance as Emitter | undefined;
      // Modules may still be made.
      this.#isFound = this.#emitter !== undefined || this.#isComplete;
    }
    return this.#emitter;
  }
}

/** Told by what it can, since the package need not be there, and its class has the name that many have. */
function isEmitterClass(token: unknown): boolean {
  const { prototype } = (typeof token === 'function' ? token : {}) as { prototype?: Partial<Record<string, unknown>> };
  return ['emit', 'eventNames', 'listenersAny'].every((name) => typeof prototype?.[name] === 'function');
}
