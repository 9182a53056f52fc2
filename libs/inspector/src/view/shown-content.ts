import { Inject, Injectable, Optional } from '@nestjs/common';
import { type ContentPlace, ContentRedactor, redacted } from '@nestor-ai/core';
import { type AiInspectorOptions, INSPECTOR_OPTIONS } from '../inspector.options.js';
import { INSPECTOR_PROPERTIES, type InspectorProperties } from '../inspector-properties.js';

/** The longest text that the page shows, in characters. The raw turn has the whole text. */
const MAX_LENGTH = 100_000;

type Kind = ContentPlace['kind'];
const KINDS: readonly Kind[] = ['prompt', 'completion', 'arguments', 'result', 'error'];

/** Decides what the page may show of a text: all of it, redacted, or only its length. */
@Injectable()
export class ShownContent {
  /** Whether contents are shown at all. */
  readonly isOn: boolean;

  constructor(
    @Inject(INSPECTOR_PROPERTIES) { content }: InspectorProperties,
    @Inject(INSPECTOR_OPTIONS) { guards = [] }: AiInspectorOptions,
    @Optional() @Inject(ContentRedactor) private readonly redactor: ContentRedactor | undefined,
  ) {
    this.isOn = content ?? guards.length === 0;
  }

  /** Whether texts are shown as they are, also while they are written. */
  get isExact(): boolean {
    return this.isOn && !this.redactor;
  }

  /** A text for the page, shortened. */
  text(text: string, kind: Kind, toolName?: string): string {
    const shown = this.whole(text, kind, toolName);
    return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}\n… (${shown.length} characters)` : shown;
  }

  /** Like {@link text}, in full length. */
  whole(text: string, kind: Kind, toolName?: string): string {
    if (!this.isOn) return text === '' ? '' : `[${text.length} characters]`;
    return redacted(this.redactor, text, { sink: 'ui', kind, ...(toolName !== undefined && { toolName }) });
  }

  /** Removes what the redactor removes anywhere on the page, for a file that mixes texts of all places. */
  redactorOf(toolNames: readonly string[]): (text: string) => string {
    const { redactor } = this;
    const places = KINDS.flatMap((kind) => [{ kind }, ...toolNames.map((toolName) => ({ kind, toolName }))]);
    return (text) => places.reduce((shown, place) => redacted(redactor, shown, { sink: 'ui', ...place }), text);
  }
}
