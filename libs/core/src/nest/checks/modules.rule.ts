import type { Type } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AiApplication } from './ai-application.js';

/** Checks that AiModule sees the `ConfigModule` of the application, if there is one. */
export function checkVisibleConfiguration({ configuration, hosts }: AiApplication): readonly string[] {
  const isThere = hosts.of(ConfigService).some(({ instance }) => instance instanceof ConfigService);
  if (configuration || !isThere) return [];
  return [
    'AiModule cannot see the ConfigModule, so it would ignore the properties ai.*. Use ' +
      'ConfigModule.forRoot({ isGlobal: true }), or add imports: [ConfigModule] to forRoot() of AiModule, AiSdkModule and others.',
  ];
}

/** Marks classes with hooks, and with the value `called` the module that calls them. */
export const EVENT_HOOKS: unique symbol = Symbol.for('nestor.EventHooks');

/** Checks that `AiEventEmitterModule` is imported if a class has hooks such as `@OnToolCall()`. */
export function checkEventHooks({ hosts }: AiApplication): readonly string[] {
  const marked: Marked[] = [];
  const add = (type: unknown): void => {
    if (typeof type === 'function' && EVENT_HOOKS in type) marked.push(type as Marked);
  };
  for (const wrappers of [hosts.providers, hosts.controllers]) {
    for (const { metatype, instance } of wrappers) {
      add(metatype);
      // A provider with a factory has no class. Its instance does.
      add((instance as object | undefined)?.constructor);
    }
  }
  if (marked.some((type) => type[EVENT_HOOKS] === 'called')) return [];
  return [...new Set(marked)].map(
    ({ name }) =>
      `${name} has hooks such as @OnToolCall(), but nothing calls them. Import AiEventEmitterModule of ` +
      '@nestor-ai/event-emitter into the root module.',
  );
}

type Marked = Type & { readonly [EVENT_HOOKS]: unknown };

/**
 * Checks that the modules in `include` are defined. They are undefined if files import each other.
 */
export function checkIncludedModules({ included }: AiApplication): readonly string[] {
  const missing = included.filter((type) => type === undefined);
  return missing.map(
    () => 'The include option of AiModule has undefined in place of a module. Two files may import each other.',
  );
}

/** Warns about modules in `include` that the application does not import. Nest provides each module in itself. */
export function checkUnknownModules({ included, hosts }: AiApplication): readonly string[] {
  return included.flatMap((type) =>
    type === undefined || hosts.of(type).length > 0
      ? []
      : `The include option of AiModule names ${type.name}, which is not a module of the application. Import it.`,
  );
}
