import { PACKAGE_NAME, PACKAGE_VERSION } from '../model/loaded-copies.js';
import { SEMANTIC_CONVENTIONS_VERSION } from './gen-ai.js';

/** The name and version under which spans and measurements are reported. */
export const SCOPE_NAME = PACKAGE_NAME;
export const SCOPE_VERSION = PACKAGE_VERSION;
export const SCOPE_OPTIONS = { schemaUrl: `https://opentelemetry.io/schemas/${SEMANTIC_CONVENTIONS_VERSION}` };
