import {
  type CanActivate,
  type DynamicModule,
  Module,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { OpenStreams } from './http/open-streams.js';
import { TurnAccessGate } from './http/turn-access.js';
import { createTurnsController } from './http/turns.controller.js';
import { TURN_PROVIDERS } from './turn-providers.js';

/** The options of `AiTurnsModule.forRoot()`. */
export interface AiTurnsModuleOptions {
  /** The path of the routes. Default: `turns`. */
  readonly path?: string;
  /** Guards of the routes, such as the one that sets `request.user`. Default: none. */
  readonly guards?: readonly (CanActivate | Type<CanActivate>)[];
  /** Modules that export what the guards inject. Default: none. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

/**
 * Adds routes to read turns that workers run, and to stop them. A browser that has lost its
 * connection reads on, from any process:
 *
 * - `GET turns/:id/events`: the events as server-sent events. `Last-Event-ID` is respected.
 * - `GET turns/:id/stream`: the turn for `useChat()`, with `AiUiModule` of `@nestor-ai/ui`.
 * - `GET turns/conversations/:id/stream`: the same for the running turn of a conversation, for
 *   `useChat({ resume: true })`. 204 if there is none.
 * - `DELETE turns/:id`: stops the turn.
 *
 * The `ApprovalPolicy` decides who may do so, with the actions `read` and `stop`. A caller who may
 * not gets the same 404 as for an unknown turn. Turns of unknown users are hidden: `TurnPrincipal`
 * has to know who sent the request that started a turn.
 *
 * @publicApi
 * @example
 * imports: [AiModule.forRoot({ providers: PostgresAiModule.stores() }), AiTurnsModule.forRoot({ guards: [AuthGuard] })]
 */
@Module({})
export class AiTurnsModule {
  /**
   * Configures the routes.
   *
   * @returns a module whose start fails if AiModule has no journal or no log of events
   */
  static forRoot({ path = 'turns', guards = [], imports = [] }: AiTurnsModuleOptions = {}): DynamicModule {
    return {
      module: AiTurnsModule,
      imports,
      controllers: [createTurnsController(path, guards)],
      providers: [OpenStreams, TurnAccessGate],
    };
  }

  /**
   * The providers for `AiModule.forRoot({ providers })` that run turns with a journal, a `TurnQueue`
   * and a `TurnEventLog` of your own: `TurnRunner`, `TurnStreams`, `DeferredResults` and what
   * `enqueue()` needs. `PostgresAiModule.stores()` and `BullAiModule.stores()` contain them.
   *
   * @example
   * AiModule.forRoot({
   *   providers: [
   *     ...AiTurnsModule.providers(),
   *     { provide: SuspendedTurnRepository, useClass: MyJournal },
   *     { provide: TurnQueue, useClass: MyQueue },
   *   ],
   * })
   */
  static providers(): Provider[] {
    return [...TURN_PROVIDERS];
  }
}
