/**
 * The arguments of a call as JSON text: `{}` if there are none. Some adapters pass parsed values.
 */
export function toInputText(given: unknown): string {
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return given === undefined || given === null ? '{}' : JSON.stringify(given);
}
