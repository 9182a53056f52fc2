/** How an answer becomes a value, said to `entity()` and `responseEntity()`. */
export class EntitySpec {
  #isNative = false;
  #isValidated = false;

  /**
   * Holds the answer to its schema: an answer that does not fit is rejected up to three times, and the model is told why. One that
   * never fits is an error.
   */
  schemaValidation(): this {
    this.#isValidated = true;
    return this;
  }

  /** The same as {@link schemaValidation}. */
  validateSchema(): this {
    return this.schemaValidation();
  }

  /** Has the provider hold the answer to the schema, where the model can. Else the model is told in words. */
  useProviderStructuredOutput(): this {
    this.#isNative = true;
    return this;
  }

  collected(): { readonly isNative: boolean; readonly isValidated: boolean } {
    return { isNative: this.#isNative, isValidated: this.#isValidated };
  }
}
