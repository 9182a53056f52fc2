/* `node --import ./test/runner/register.mjs`: Node imports test files and sources without a build. */
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
