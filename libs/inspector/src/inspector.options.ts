import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import type { ModelPrice } from '@nestor-ai/advisors';

/** The injection token of {@link AiInspectorOptions}. */
export const INSPECTOR_OPTIONS: unique symbol = Symbol('nestor.InspectorOptions');

/** Whether `NODE_ENV` is one where the page is on. `nest new` leaves it unset. */
export function isDevelopment(): boolean {
  return [undefined, 'development', 'test'].includes(process.env['NODE_ENV']);
}

/** Where a written test finds the root module of the application. */
export interface TestedModule {
  /** The name of the class, such as `AppModule`. */
  readonly name: string;
  /** The import as the test writes it, such as `../../src/app.module.js`. */
  readonly from: string;
}

/** The options of `AiInspectorModule.forRoot()`. */
export interface AiInspectorModuleOptions {
  /** The path of the page. A global prefix of the application applies. Default: `ai`. */
  readonly path?: string;
  /**
   * Guards of the page and its API. They replace the token. Without guards, only requests of the same
   * computer that have the token of this start are answered. Default: none.
   */
  readonly guards?: readonly (CanActivate | Type<CanActivate>)[];
  /**
   * Decorators of the page's controller, such as the `@Public()` of your application. Global guards
   * run for the page too, and read its metadata. Default: none.
   */
  readonly decorators?: readonly ClassDecorator[];
  /** Modules that export what the guards inject. Default: none. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Whether the page exists. Default: whether `NODE_ENV` is unset, `development` or `test`. */
  readonly enabled?: boolean;
  /**
   * The host names under which the page answers, such as `admin.example.com`. Default: `localhost`,
   * `127.0.0.1` and `[::1]`.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Lets users of the page act as another user: returns the request that guards and tools see in
   * place of the real one. Throw a `ForbiddenException` to refuse it. Default: not possible.
   *
   * @param user what was entered on the page
   * @param request the request of the page
   */
  readonly impersonate?: (user: string, request: unknown) => unknown;
  /** The folder that "Save as test" writes to. Default: none, and the files are downloaded. */
  readonly testsDirectory?: string;
  /** The root module in written tests. Default: the one that the inspector finds in the sources. */
  readonly testedModule?: TestedModule;
  /** How much memory the turns on the page may take, in megabytes. Default: 32. */
  readonly maxMemory?: number;
  /**
   * How many turns are kept in a second on average, so that an application under load spends no more
   * on the inspector than with this many. A burst may be ten times as large. Turns of the page itself
   * are always kept. Default: 100.
   */
  readonly maxTurnsPerSecond?: number;
  /** Prices in any currency per million tokens, by model name. `*` is for all others. Default: none. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
}

/** The options that the providers of the inspector read. */
export type AiInspectorOptions = Omit<AiInspectorModuleOptions, 'imports' | 'enabled' | 'decorators'> & {
  readonly path: string;
};
