import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import type { Constructor } from '../type.js';
import { describeClass, type PropertyDescription } from './class-description.js';

/** How the class of a nested object is told from others: by the value of one of its properties. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly value: Constructor; readonly name: string }[];
}

/**
 * The discriminator of `@Type(() => Shape, { discriminator })`, if the property has one.
 *
 * @throws ToolDeclarationException where class-transformer would make something else of the value than it says
 */
export function discriminatorOf({ typeMetadata, reflected, name }: PropertyDescription): Discriminator | undefined {
  const { discriminator, keepDiscriminatorProperty } = typeMetadata?.options ?? {};
  if (!discriminator?.property || !discriminator.subTypes?.length) return undefined;
  const { property } = discriminator;
  const subTypes = discriminator.subTypes as Discriminator['subTypes'];
  if (reflected === Map) {
    throw new ToolDeclarationException(
      `Property '${name}' is a Map with a discriminator, which class-transformer does not make classes of. Use an array, or a ` +
        'property with @ToolParam({ schema }).',
    );
  }
  const declaring = subTypes.find(({ value }) => describeClass(value).properties.has(property));
  if (declaring && !keepDiscriminatorProperty) {
    throw new ToolDeclarationException(
      `Property '${name}' is told apart by '${property}', which class-transformer removes, but ${declaring.value.name} declares and ` +
        'validates it. Add keepDiscriminatorProperty: true to the options of @Type().',
    );
  }
  return { property, subTypes };
}
