/**
 * Checks that an advisor received its options. Nest's container passes none if you register the
 * class.
 *
 * @param example the required options, as code
 * @throws TypeError with the code to write
 */
export function requireOptions<Options extends object>(
  type: { readonly name: string },
  options: Options | undefined,
  example: string,
): Options {
  if (typeof options === 'object' && options !== null) return options;
  throw new TypeError(
    `${type.name} needs options. Give an instance instead of the class: new ${type.name}(${example}).`,
  );
}
