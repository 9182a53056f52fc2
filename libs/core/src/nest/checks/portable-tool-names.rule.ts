import type { AiApplication } from './ai-application.js';

/** What every provider of models accepts as the name of a tool. */
const PORTABLE_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Every provider of models accepts the names of the tools. */
export function checkPortableToolNames({ registry }: AiApplication): readonly string[] {
  return registry.found
    .filter(({ name }) => !PORTABLE_NAME.test(name))
    .map(
      ({ name, callback }) =>
        `The tool name '${name}' (${callback.origin}) may be refused by providers of models: use 1 to 64 letters, digits, _ and -.`,
    );
}
