/** The options of `entity()` and `responseEntity()`. */
export class EntitySpec {
  #isNative = false;
  #isValidated = false;

  /**
   * Validates the answer against its schema. The model gets up to three more attempts and reads
   * what was wrong. After that, the call fails.
   */
  schemaValidation(): this {
    this.#isValidated = true;
    return this;
  }

  /** Same as {@link schemaValidation}. */
  validateSchema(): this {
    return this.schemaValidation();
  }

  /**
   * Lets the provider enforce the schema, if the model supports it. Otherwise the schema is part
   * of the prompt.
   */
  useProviderStructuredOutput(): this {
    this.#isNative = true;
    return this;
  }

  collected(): { readonly isNative: boolean; readonly isValidated: boolean } {
    return { isNative: this.#isNative, isValidated: this.#isValidated };
  }
}
