import { ConfigService } from '@nestjs/config';
import type { AiApplication } from './ai-application.js';

/** Checks that AiModule sees the `ConfigModule` of the application, if there is one. */
export function checkVisibleConfiguration({ configuration, discovery }: AiApplication): readonly string[] {
  const isThere = discovery
    .getProviders()
    .some(({ token, instance }) => token === ConfigService && instance instanceof ConfigService);
  if (configuration || !isThere) return [];
  return [
    'AiModule cannot see the ConfigModule, so it would ignore the properties ai.*. Use ' +
      'ConfigModule.forRoot({ isGlobal: true }), or add imports: [ConfigModule] to forRoot() of AiModule, AiSdkModule and others.',
  ];
}

/** Checks that `EventEmitterModule` is imported if a class has hooks such as `@OnToolCall()`. */
export function checkEventHooks({ emitter }: AiApplication): readonly string[] {
  return emitter.check();
}

/**
 * Checks that the modules in `include` are defined. They are undefined if files import each other.
 */
export function checkIncludedModules({ registry }: AiApplication): readonly string[] {
  const missing = registry.missingModules.filter((name) => name === undefined);
  return missing.map(
    () => 'The include option of AiModule has undefined in place of a module. Two files may import each other.',
  );
}

/** Warns about modules in `include` that the application does not import. */
export function checkUnknownModules({ registry }: AiApplication): readonly string[] {
  return registry.missingModules.filter((name) => name !== undefined).map(missingText);
}

function missingText(name: string): string {
  return `The include option of AiModule names ${name}, which is not a module of the application. Import it.`;
}
