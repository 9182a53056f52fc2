import { type Constructor } from '../type.js';
import { isDto, type PropertyDescription } from './class-description.js';

/** How the class of a nested object is told from others: by the value of one of its properties. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly value: Constructor; readonly name: string }[];
}

/** The discriminator of `@Type(() => Shape, { discriminator })`, if the property has one with classes that are known. */
export function discriminatorOf({ typeMetadata }: PropertyDescription): Discriminator | undefined {
  const discriminator = typeMetadata?.options?.discriminator;
  if (!discriminator?.property || !discriminator.subTypes?.length) return undefined;
  const subTypes = discriminator.subTypes as Discriminator['subTypes'];
  return subTypes.every(({ value }) => isDto(value)) ? { property: discriminator.property, subTypes } : undefined;
}
