import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import type { Constructor } from '../type.js';
import { describeClass, type PropertyDescription } from './class-description.js';

/** The property whose value determines the class of a nested object. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly value: Constructor; readonly name: string }[];
}

/**
 * The discriminator of `@Type(() => Shape, { discriminator })`, if the property has one.
 *
 * @throws ToolDeclarationException where class-transformer would not instantiate the declared
 * classes
 */
export function discriminatorOf({ typeMetadata, reflected, name }: PropertyDescription): Discriminator | undefined {
  const { discriminator, keepDiscriminatorProperty } = typeMetadata?.options ?? {};
  if (!discriminator?.property || !discriminator.subTypes?.length) return undefined;
  const { property } = discriminator;
  const subTypes = discriminator.subTypes as Discriminator['subTypes'];
  if (reflected === Map) {
    throw new ToolDeclarationException(
      `Property '${name}' is a Map with a discriminator, which class-transformer does not support. Use an array, or ` +
        '@ToolParam({ schema }).',
    );
  }
  const declaring = subTypes.find(({ value }) => describeClass(value).properties.has(property));
  if (declaring && !keepDiscriminatorProperty) {
    throw new ToolDeclarationException(
      `Property '${name}' has the discriminator '${property}', which class-transformer removes, but ${declaring.value.name} declares and ` +
        'validates it. Add keepDiscriminatorProperty: true to the options of @Type().',
    );
  }
  return { property, subTypes };
}
