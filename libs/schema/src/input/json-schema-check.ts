import type { JsonSchema } from '../json/json-schema.js';
import { type Dialect, dialectOf, judgeSchema } from '../schema/json-schema-keywords.js';
import { selfContained } from '../schema/self-contained.js';
import { type PatternEngine, patternOf } from './patterns.js';
import { translateDraft04Limits } from './draft-04-limits.js';

/**
 * Checks a JSON Schema without compiling it, which would take a hundred times as long: the
 * metaschema of its dialect, the targets of its references, and its patterns.
 *
 * @param engine compiles the patterns
 * @throws Error that names the problem
 */
export function checkSchema(schema: JsonSchema, engine: PatternEngine = patternOf): void {
  if (schema.$async !== undefined) throw new Error('an asynchronous schema ($async) cannot be enforced');
  const dialect = dialectOf(schema);
  let judgement = judgeSchema(schema, dialect);
  // Limits of draft 04 are violations of later ones.
  if (judgement.violations.length > 0) judgement = judgeSchema(translateDraft04Limits(schema), dialect);
  const { violations, isOpen } = judgement;
  if (violations.length > 0) throw new Error(`schema is invalid: ${violations.join(', ')}`);
  if (!isOpen) return;
  const { unresolved, reached } = selfContained(schema);
  const missing = unresolved.find((reference) => !isMetaschema(reference, dialect));
  if (missing !== undefined) throw new Error(`can't resolve reference ${missing}`);
  for (const { pattern, patternProperties } of reached) {
    if (typeof pattern === 'string') engine(pattern);
    for (const key of Object.keys(patternProperties ?? {})) engine(key);
  }
}

/**
 * Checks that a schema describes an object. Providers refuse a whole request if the schema of one
 * tool does not.
 *
 * @throws Error when the schema has another type
 */
export function checkRoot({ type }: JsonSchema): void {
  if (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))) return;
  throw new Error(`the schema of a tool's arguments must have type "object", but has ${JSON.stringify(type)}`);
}

/** Whether a reference points to the metaschema of a dialect or to a part of it. */
function isMetaschema(reference: string, dialect: Dialect): boolean {
  const [uri = ''] = reference.split('#');
  if (dialect === 'draft-07') return /^http:\/\/json-schema\.org\/(draft-07\/)?schema$/.test(uri);
  const root = `https://json-schema.org/draft/${dialect}/`;
  return uri.startsWith(root) && /^(schema|meta\/[a-z-]+)$/.test(uri.slice(root.length));
}
