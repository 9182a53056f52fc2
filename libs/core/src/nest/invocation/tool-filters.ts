/** The metadata key of Nest's `@Catch()`. */
const CAUGHT_TYPES = '__filterCatchExceptions__';

/**
 * Whether one of the filters catches an exception. Nest logs exceptions that no filter catches,
 * with messages that may contain confidential text.
 *
 * @param filters classes or instances
 */
export function isCaughtBy(filters: readonly unknown[], exception: unknown): boolean {
  return filters.some((filter) => {
    const type: unknown = typeof filter === 'function' ? filter : (filter as object).constructor;
    const types = Reflect.getMetadata(CAUGHT_TYPES, type as object) as readonly (new () => unknown)[] | undefined;
    return !types || types.length === 0 || types.some((caught) => exception instanceof caught);
  });
}
