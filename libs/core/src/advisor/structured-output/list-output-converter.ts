import { cleanOutput } from './output-text.js';
import { StructuredOutputConverter } from './structured-output-converter.js';

/** Converts comma-separated answers to a list of strings. */
export class ListOutputConverter extends StructuredOutputConverter<string[]> {
  override getFormat(): string {
    return (
      'Respond with only a list of comma-separated values, without any leading or trailing text.\n' +
      'Example format: foo, bar, baz'
    );
  }

  override convert(text: string): string[] {
    const cleaned = cleanOutput(text).replace(/^\[|\]$/g, '');
    return cleaned
      .split(/,|\r?\n/)
      .map((item) =>
        item
          .trim()
          .replace(/^(?:[-*]|\d+[.)])\s+/, '')
          .replace(/^["'](.*)["']$/, '$1'),
      )
      .filter((item) => item !== '');
  }
}
