import { createRequire } from 'node:module';

/**
 * Loads a dependency when it is first needed. A schema validator, a parser and class-validator cost
 * more start-up time than the rest of this library, and an application rarely needs all of them.
 */
export const lazyRequire = createRequire(import.meta.url) as <Module>(name: string) => Module;
