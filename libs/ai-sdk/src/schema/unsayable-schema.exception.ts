/** A schema contains something that the dialect of a provider cannot express. */
export class UnsayableSchemaException extends Error {
  /**
   * @param place the path of the value in the arguments; empty for the arguments themselves
   * @param problem what cannot be expressed: "is a tuple"
   * @param remedy what to write instead
   */
  constructor(
    readonly place: string,
    readonly problem: string,
    readonly remedy: string,
  ) {
    super(`${place === '' ? 'its root' : `'${place}'`} ${problem}`);
    this.name = 'UnsayableSchemaException';
  }
}
