import type { AiApplication } from './ai-application.js';

/** Something calls the hooks of the application's classes, such as `@OnToolCall()`. */
export function checkEventHooks({ emitter }: AiApplication): readonly string[] {
  return emitter.check();
}
