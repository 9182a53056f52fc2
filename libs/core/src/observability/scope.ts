import { createRequire } from 'node:module';
import { SEMANTIC_CONVENTIONS_VERSION } from './gen-ai.js';

const { name, version } = createRequire(import.meta.url)('../../package.json') as { name: string; version: string };

/** Under which name spans and measurements are given. */
export const SCOPE_NAME = name;
export const SCOPE_VERSION = version;
export const SCOPE_OPTIONS = { schemaUrl: `https://opentelemetry.io/schemas/${SEMANTIC_CONVENTIONS_VERSION}` };
