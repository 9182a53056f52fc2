import type * as ClassTransformer from 'class-transformer';
import type { MetadataStorage as TransformerStorage } from 'class-transformer/types/MetadataStorage.js';
import type * as ClassValidator from 'class-validator';
import { lazyRequire } from '../lazy-require.js';

/** class-validator and class-transformer, loaded when the first class that uses them is met. */
export const classValidator = (): typeof ClassValidator => lazyRequire('class-validator');
export const classTransformer = (): typeof ClassTransformer => lazyRequire('class-transformer');

/** What the decorators of class-transformer have said. */
export function transformerStorage(): TransformerStorage {
  return lazyRequire<{ defaultMetadataStorage: TransformerStorage }>('class-transformer/cjs/storage.js')
    .defaultMetadataStorage;
}
