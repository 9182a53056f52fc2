/** @throws TypeError naming the first of the options that is null: left out it would have its default */
export function refuseNullOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === null) throw new TypeError(`${name} must not be null`);
  }
}

/** @throws TypeError naming the argument unless there is one */
export function requireGiven(value: unknown, name: string): void {
  if (value === null || value === undefined) throw new TypeError(`${name} cannot be null`);
}
