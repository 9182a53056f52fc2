import { ConfigService } from '@nestjs/config';
import type { AiApplication } from './ai-application.js';

/** AiModule sees the `ConfigModule` of the application, if there is one. */
export function checkVisibleConfiguration({ configuration, discovery }: AiApplication): readonly string[] {
  const isThere = discovery
    .getProviders()
    .some(({ token, instance }) => token === ConfigService && instance instanceof ConfigService);
  if (configuration || !isThere) return [];
  return [
    'There is a ConfigModule, but AiModule cannot see it, so the properties ai.* would be ignored. Use ' +
      'ConfigModule.forRoot({ isGlobal: true }), or AiModule.forRoot({ imports: [ConfigModule] }).',
  ];
}

/** `EventEmitterModule` is there to call the hooks of the application's classes, such as `@OnToolCall()`. */
export function checkEventHooks({ emitter }: AiApplication): readonly string[] {
  return emitter.check();
}

/** The modules whose tools AiModule is to include are there when it is declared. */
export function checkIncludedModules({ registry }: AiApplication): readonly string[] {
  const missing = registry.missingModules.filter((name) => name === undefined);
  return missing.map((name) => `${missingText(name)} It may be imported in a circle.`);
}

/** The modules whose tools AiModule is to include are modules of the application. */
export function checkUnknownModules({ registry }: AiApplication): readonly string[] {
  return registry.missingModules.filter((name) => name !== undefined).map(missingText);
}

function missingText(name: string | undefined): string {
  return `AiModule is to include the tools of ${name}, which is no module of the application. Import it.`;
}
