import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../json/json-schema.js';
import { checkSchema } from './json-schema-check.js';
import { compileValidator } from './json-schema-validator.js';
import { UnenforceableSchemaException } from './unenforceable-schema.exception.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

describe('checkSchema', () => {
  const REFUSED: [schema: JsonSchema, message: RegExp][] = [
    [{ $async: true }, /asynchronous schema/],
    [{ properties: { a: { type: 'dict' } } }, /^schema is invalid: \/properties\/a\/type must be one of/],
    [{ $schema: DRAFT_07, items: [{ type: 'dict' }] }, /^schema is invalid: \/items\/0\/type/],
    [{ minimum: 1, exclusiveMinimum: 'yes' }, /^schema is invalid: \/exclusiveMinimum must be a number/],
    [{ properties: { a: { $ref: '#/$defs/none' } } }, /^can't resolve reference #\/\$defs\/none$/],
    [{ $defs: { a: { $ref: '#none' } }, $ref: '#/$defs/a' }, /^can't resolve reference #none$/],
    [{ $ref: 'https://a.io/elsewhere.json' }, /^can't resolve reference https:\/\/a\.io\/elsewhere\.json$/],
    [{ $ref: DRAFT_07 }, /^can't resolve reference http:\/\/json-schema\.org/],
    [{ properties: { a: { pattern: '(' } } }, /Invalid regular expression/],
    [{ patternProperties: { '[': {} } }, /Invalid regular expression/],
    [{ components: { a: { pattern: '(' } }, $ref: '#/components/a' }, /Invalid regular expression/],
  ];

  it.each(REFUSED)('refuses %j', (schema, message) => {
    expect(() => checkSchema(schema)).toThrow(message);
  });

  const ACCEPTED: JsonSchema[] = [
    { minimum: 1, exclusiveMinimum: true },
    { $schema: DRAFT_07, $ref: DRAFT_07 },
    { $ref: 'https://json-schema.org/draft/2020-12/meta/core#/$defs/anchorString' },
    { $defs: { unused: { $ref: '#/nowhere', pattern: '(' } } },
    { patternProperties: { '^x\\-': {} } },
  ];

  it.each(ACCEPTED)('accepts %j, which can be compiled', (schema) => {
    checkSchema(schema);
    expect(() => compileValidator(schema)({})).not.toThrow(UnenforceableSchemaException);
  });
});
