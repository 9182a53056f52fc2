import type * as Acorn from 'acorn';
import type { Ajv } from 'ajv';
import type * as ClassTransformer from 'class-transformer';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
import type * as ClassValidator from 'class-validator';
import type * as ClassValidatorJsonSchema from 'class-validator-jsonschema';
import type * as Re2js from 're2js';

/*
 * These dependencies load when they are first needed. Together they take longer to load than the
 * rest of this library, and most applications need only some of them.
 *
 * This file is CommonJS, because only CommonJS can load a module late and synchronously. Every
 * require() has a literal name, which bundlers and test runners can follow.
 */

/** The compilers of JSON Schema, one for each dialect. */
export const ajv = {
  'draft-07': (): AjvModule => require('ajv') as AjvModule,
  '2019-09': (): AjvModule => require('ajv/dist/2019.js') as AjvModule,
  '2020-12': (): AjvModule => require('ajv/dist/2020.js') as AjvModule,
};

export const ajvFormats = (): { default: (ajv: Ajv) => void } =>
  require('ajv-formats') as { default: (ajv: Ajv) => void };

export const acorn = (): typeof Acorn => require('acorn') as typeof Acorn;

export const re2js = (): typeof Re2js => require('re2js') as typeof Re2js;

export const classValidator = (): typeof ClassValidator => require('class-validator') as typeof ClassValidator;

export const classValidatorJsonSchema = (): typeof ClassValidatorJsonSchema =>
  require('class-validator-jsonschema') as typeof ClassValidatorJsonSchema;

export const classTransformer = (): typeof ClassTransformer => require('class-transformer') as typeof ClassTransformer;

/** Where the decorators of class-transformer keep their metadata. */
export function transformerStorage(): MetadataStorage {
  knownStorage ??= (
    isCommonJsTransformer() ? require('class-transformer/cjs/storage.js') : require('class-transformer/esm5/storage.js')
  ) as { defaultMetadataStorage: MetadataStorage };
  return knownStorage.defaultMetadataStorage;
}

let knownStorage: { defaultMetadataStorage: MetadataStorage } | undefined;

/**
 * class-transformer has two builds, each with its own storage. Node.js loads the CommonJS build,
 * and many bundlers choose the other one.
 */
function isCommonJsTransformer(): boolean {
  const ofCommonJs = require('class-transformer/cjs/decorators/type.decorator.js') as { Type: unknown };
  return ofCommonJs.Type === classTransformer().Type;
}

interface AjvModule {
  default: new (options: object) => Ajv;
}
