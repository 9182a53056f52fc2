import { Module, type OnModuleInit, Optional, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { AiBootstrapException, type AiEvent, AiEvents } from '@nestor-ai/core';
import { EVENT_HOOKS } from '@nestor-ai/core/internal';

/** The name of an event for `@nestjs/event-emitter`: `ai.tool-call`. */
export function eventNameOf(type: AiEvent['type']): string {
  return `ai.${type}`;
}

/**
 * Emits the events of all turns with the `EventEmitter2` of the application, as `ai.tool-call` and so
 * on. Import it beside `AiModule` and `EventEmitterModule.forRoot()`. Hooks such as `@OnToolCall()`
 * need it.
 */
@Module({})
export class AiEventEmitterModule implements OnModuleInit {
  /** @internal */
  static readonly [EVENT_HOOKS] = 'called';

  constructor(
    private readonly moduleRef: ModuleRef,
    // The global one: a module of the application may have an emitter of its own.
    @Optional() private readonly emitter?: EventEmitter2,
  ) {}

  /** @throws AiBootstrapException if one of the two modules is missing */
  onModuleInit(): void {
    const emitter = this.emitter ?? this.#find(EventEmitter2, 'EventEmitterModule.forRoot() of @nestjs/event-emitter');
    const events = this.#find(AiEvents, 'AiModule.forRoot()');
    // AiEvents logs the errors of listeners, also of those that return a promise.
    events.subscribe((event) => emitter.emitAsync(eventNameOf(event.type), event));
  }

  #find<T>(type: Type<T>, module: string): T {
    try {
      return this.moduleRef.get(type, { strict: false });
    } catch {
      throw new AiBootstrapException([`AiEventEmitterModule needs ${module}. Import it into the root module.`]);
    }
  }
}
