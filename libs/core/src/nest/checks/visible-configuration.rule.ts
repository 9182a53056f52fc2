import { ConfigService } from '@nestjs/config';
import type { AiApplication } from './ai-application.js';

/** AiModule sees the `ConfigModule` of the application, if there is one. */
export function checkVisibleConfiguration({ configuration, discovery }: AiApplication): readonly string[] {
  if (configuration) return [];
  const isThere = discovery
    .getProviders()
    .some(({ token, instance }) => token === ConfigService && instance instanceof ConfigService);
  if (!isThere) return [];
  return [
    'There is a ConfigModule, but AiModule cannot see it, so the properties ai.* would be ignored. Use ' +
      'ConfigModule.forRoot({ isGlobal: true }), or AiModule.forRoot({ imports: [ConfigModule] }).',
  ];
}
