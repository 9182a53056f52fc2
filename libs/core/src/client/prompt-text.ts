import type { Media } from '../model/content-part.js';
import type { Message, MessageMetadata, SystemMessage, UserMessage } from '../model/messages.js';
import { mergeProviderOptions, type ProviderOptions } from '../model/provider-options.js';
import { EmptyPromptException } from './empty-prompt.exception.js';

/** Fills parameters into a text. */
export type TemplateRenderer = (template: string, params: Readonly<Record<string, unknown>>) => string;

/**
 * A system or user text with its parameters. Frozen, so that requests can share the text of a
 * client.
 */
export interface PromptText {
  readonly text?: string;
  /**
   * Whether the text is sent unchanged: a request passed it as a string, which a user may have
   * written.
   */
  readonly isVerbatim: boolean;
  /**
   * The parameters of the text. A new text starts without any, since parameters belong to one
   * template.
   */
  readonly params: Readonly<Record<string, unknown>>;
  readonly metadata: MessageMetadata;
  readonly media: readonly Media[];
  /** Options for one provider about the message. */
  readonly providerOptions?: ProviderOptions | undefined;
}

const NO_PARAMS: PromptText['params'] = Object.freeze({});

export const NO_TEXT: PromptText = Object.freeze({ isVerbatim: false, params: NO_PARAMS, metadata: {}, media: [] });

/** Describes a system text. Everything that you don't set stays unchanged. */
export class PromptSystemSpec {
  #text: PromptText;
  /** The parameters set in this spec. */
  #params = NO_PARAMS;

  constructor(initial: PromptText) {
    this.#text = initial;
  }

  /**
   * The text, with `{name}` for parameters. It uses the parameters of this spec and of later
   * specs, but not those of the previous text. Without parameters, it is sent unchanged.
   */
  text(text: string): this {
    return this.replaceText(requireText(text));
  }

  /** The value of `{key}`. */
  param(key: string, value: unknown): this {
    return this.params({ [key]: value });
  }

  /**
   * The values of several parameters, for the text of this spec or for the previous text.
   *
   * @throws TypeError if the previous text is a string that a request passed
   */
  params(params: Readonly<Record<string, unknown>>): this {
    this.#params = { ...this.#params, ...requireEntries('param', params) };
    return this.change({ params: { ...this.#text.params, ...this.#params } });
  }

  /** Metadata of the message. Not sent to the model as text. */
  metadata(key: string | Readonly<Record<string, unknown>>, value?: unknown): this {
    const added = requireEntries('metadata', typeof key === 'string' ? { [key]: value } : key);
    return this.change({ metadata: { ...this.#text.metadata, ...added } });
  }

  /**
   * Options for one provider about the message, keyed by the provider's name. They are merged with
   * those set before.
   *
   * @example
   * .system((s) => s.text('…').providerOptions({ anthropic: { cacheControl: { type: 'ephemeral' } } }))
   */
  providerOptions(providerOptions: ProviderOptions): this {
    return this.change({ providerOptions: mergeProviderOptions(this.#text.providerOptions, providerOptions) });
  }

  collected(): PromptText {
    const { isVerbatim, params } = this.#text;
    if (isVerbatim && hasKeys(params)) throw new TypeError(NO_TEMPLATE);
    return this.#text;
  }

  protected replaceText(text: string): this {
    return this.change({ text, isVerbatim: false, params: this.#params });
  }

  protected change(changes: Partial<PromptText>): this {
    this.#text = { ...this.#text, ...changes };
    return this;
  }
}

/** Describes a user text, like {@link PromptSystemSpec}, and media. */
export class PromptUserSpec extends PromptSystemSpec {
  /** Like {@link PromptSystemSpec.text}. A blank text is allowed together with media. */
  override text(text: string): this {
    if (typeof text !== 'string') throw new EmptyPromptException(NO_TEXT_GIVEN);
    return this.replaceText(text);
  }

  /**
   * Images, documents or recordings for the model. Or one of them, as its type, such as
   * `image/png`, and its data.
   */
  media(...media: readonly Media[]): this;
  media(mimeType: string, data: Media['data']): this;
  media(...given: readonly Media[] | [string, Media['data']]): this {
    const [first, data] = given;
    if (first === '') throw new TypeError('mimeType cannot be empty');
    const isOne = typeof first === 'string';
    const added = isOne ? [{ mimeType: first, data: data as Media['data'] }] : (given as readonly Media[]);
    return this.change({ media: [...super.collected().media, ...added] });
  }

  /** @throws EmptyPromptException if the text is blank and there are no media */
  override collected(): PromptText {
    const collected = super.collected();
    const { text, media } = collected;
    if (text !== undefined && isBlank(text) && media.length === 0) throw new EmptyPromptException(NO_TEXT_GIVEN);
    return collected;
  }
}

/** Applies a client's system or user text: another text, which may be a template, or a spec. */
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

/** Like the above for a request: a string is sent unchanged, even if it contains braces. */
export function readRequestText<Spec extends PromptSystemSpec>(
  known: PromptText,
  given: string | ((spec: Spec) => void),
  specType: new (known: PromptText) => Spec,
): PromptText {
  const read = readText(known, given, specType);
  return typeof given === 'string' ? { ...read, isVerbatim: true } : read;
}

/** The message of a text, if there is a text or media. A system text has no media. */
export function spoken(
  given: PromptText,
  render: TemplateRenderer,
  MessageOfText: typeof SystemMessage | typeof UserMessage,
): Message[] {
  const { text, params, metadata, media, providerOptions } = given;
  if (text === undefined && media.length === 0) return [];
  const rendered = text !== undefined && hasKeys(params) ? render(text, params) : (text ?? '');
  if (media.length === 0 && !hasKeys(metadata) && !providerOptions) return [new MessageOfText(rendered)];
  return [
    new MessageOfText({
      text: rendered,
      ...(media.length > 0 && { media }),
      ...(hasKeys(metadata) && { metadata }),
      ...(providerOptions && { providerOptions }),
    }),
  ];
}

/** @throws TypeError if the text is blank */
export function requireText(text: unknown): string {
  if (isBlank(text)) throw new TypeError(NO_TEXT_GIVEN);
  return text as string;
}

const NO_TEXT_GIVEN = 'text cannot be null or empty';

const NO_TEMPLATE =
  "Set the text and its parameters in one spec: .user((user) => user.text('… {name} …').param('name', …)). The request received " +
  'this text as a string, which is sent unchanged.';

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

/**
 * Replaces `{name}` in a text by parameters. A text without parameters is not changed, so braces
 * need no escaping.
 *
 * @throws Error that names the placeholder without a parameter
 */
export function renderTemplate(text: string, params: Readonly<Record<string, unknown>>): string {
  if (Object.keys(params).length === 0) return text;
  return text.replace(/\{([\p{L}_][\p{L}\p{N}_.-]*)\}/gu, (_match, name: string) => {
    if (!Object.hasOwn(params, name)) {
      throw new Error(
        `The prompt template needs a value for {${name}}, but has: ${Object.keys(params).join(', ')}. Add .param('${name}', …).`,
      );
    }
    const value = params[name];
    return typeof value === 'object' && value !== null && value.toString === Object.prototype.toString
      ? JSON.stringify(value)
      : String(value);
  });
}
