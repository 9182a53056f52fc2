import type { Media } from '../model/content-part.js';
import { type Message, type MessageMetadata, SystemMessage, UserMessage } from '../model/messages.js';
import { EmptyPromptException } from './empty-prompt.exception.js';
import type { TemplateRenderer } from './prompt-template.js';

/** What is known of a system or user text. Plain and frozen, so that requests can share a client's. */
export interface PromptText {
  readonly text?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly metadata: MessageMetadata;
  readonly media: readonly Media[];
}

export const NO_TEXT: PromptText = Object.freeze({ params: {}, metadata: {}, media: [] });

/** Describes a system text. What it does not mention stays as it was. */
export class PromptSystemSpec {
  #text: PromptText;

  constructor(initial: PromptText) {
    this.#text = initial;
  }

  /** The text, with `{name}` where a parameter goes. */
  text(text: string): this {
    return this.change({ text: requireText(text) });
  }

  /** A value for `{key}`. */
  param(key: string, value: unknown): this {
    return this.params({ [key]: value });
  }

  params(params: Readonly<Record<string, unknown>>): this {
    return this.change({ params: { ...this.#text.params, ...requireEntries('param', params) } });
  }

  /** Data that travels with the message. Not sent to the model as text. */
  metadata(key: string | Readonly<Record<string, unknown>>, value?: unknown): this {
    const added = requireEntries('metadata', typeof key === 'string' ? { [key]: value } : key);
    return this.change({ metadata: { ...this.#text.metadata, ...added } });
  }

  collected(): PromptText {
    return this.#text;
  }

  protected change(changes: Partial<PromptText>): this {
    this.#text = { ...this.#text, ...changes };
    return this;
  }
}

/** Describes a user text: as {@link PromptSystemSpec}, and media. */
export class PromptUserSpec extends PromptSystemSpec {
  /** As {@link PromptSystemSpec.text}. A blank text goes with media; alone, the request is refused. */
  override text(text: string): this {
    if (typeof text !== 'string') throw new EmptyPromptException(NO_TEXT_GIVEN);
    return this.change({ text });
  }

  /** Images, documents or recordings to show the model; or one, as its type, such as `image/png`, and its data. */
  media(...media: readonly Media[]): this;
  media(mimeType: string, data: Media['data']): this;
  media(...given: readonly Media[] | [string, Media['data']]): this {
    const [first, data] = given;
    if (first === '') throw new TypeError('mimeType cannot be empty');
    const isOne = typeof first === 'string';
    const added = isOne ? [{ mimeType: first, data: data as Media['data'] }] : (given as readonly Media[]);
    return this.change({ media: [...super.collected().media, ...added] });
  }

  /** @throws EmptyPromptException when the text is blank and there are no media */
  override collected(): PromptText {
    const collected = super.collected();
    const { text, media } = collected;
    if (text !== undefined && isBlank(text) && media.length === 0) throw new EmptyPromptException(NO_TEXT_GIVEN);
    return collected;
  }
}

/** What is known of a text, with what is said of it now: another text, or what a spec is told. */
export function readText<Spec extends PromptSystemSpec>(
  known: PromptText,
  given: string | ((spec: Spec) => void),
  specType: new (known: PromptText) => Spec,
): PromptText {
  const spec = new specType(known);
  if (typeof given === 'function') given(spec);
  else spec.text(given);
  return spec.collected();
}

/** The system message of a text, if there is one. */
export function toSystemMessage({ text, params, metadata }: PromptText, render: TemplateRenderer): Message[] {
  if (text === undefined) return [];
  const rendered = hasKeys(params) ? render(text, params) : text;
  return [new SystemMessage(hasKeys(metadata) ? { text: rendered, metadata } : rendered)];
}

/** The user message of a text or of media, if there is either. */
export function toUserMessage({ text, params, metadata, media }: PromptText, render: TemplateRenderer): Message[] {
  if (text === undefined && media.length === 0) return [];
  const rendered = text !== undefined && hasKeys(params) ? render(text, params) : (text ?? '');
  if (media.length === 0 && !hasKeys(metadata)) return [new UserMessage(rendered)];
  return [
    new UserMessage({
      text: rendered,
      ...(media.length > 0 && { media }),
      ...(hasKeys(metadata) && { metadata }),
    }),
  ];
}

/** @throws TypeError unless there is some text */
export function requireText(text: unknown): string {
  if (isBlank(text)) throw new TypeError(NO_TEXT_GIVEN);
  return text as string;
}

const NO_TEXT_GIVEN = 'text cannot be null or empty';

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}

function requireEntries(kind: string, entries: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  for (const [key, value] of Object.entries(entries)) {
    if (key === '') throw new TypeError(`${kind} key cannot be null or empty`);
    if (value === undefined || value === null) throw new TypeError(`${kind} value of '${key}' cannot be null`);
  }
  return entries;
}

function hasKeys(record: Readonly<Record<string, unknown>>): boolean {
  for (const _key in record) return true;
  return false;
}
