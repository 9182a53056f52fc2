import {
  AroundAdvisor,
  AssistantMessage,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatResponse,
  type ContentPart,
  FinishReason,
  type Media,
  type Message,
  type NextHandler,
} from '@nestor-ai/core';
import { requireOptions, toJsonText } from '@nestor-ai/core/internal';
import { comparableText } from './comparable-text.js';

/** The options of {@link SafeGuardAdvisor}. */
export interface SafeGuardAdvisorOptions {
  /**
   * Words that must not be sent to the model. A request that contains one is not sent. The
   * comparison ignores case, white space, invisible characters such as soft hyphens, and Unicode
   * variants of a letter; a letter with an accent is a different letter. Text files are checked as
   * well. Pictures, recordings and other files are not, and neither is the content behind a URL.
   */
  sensitiveWords: readonly string[];
  /** The answer to a request with such a word. */
  failureResponse?: string;
  /**
   * The position in the chain. Default: {@link SafeGuardAdvisor.DEFAULT_ORDER}, inside the tool
   * loop, where it also checks tool results. With an order below
   * `ToolCallingAdvisor.DEFAULT_ORDER` it only checks the user's message, once per turn.
   */
  order?: number;
}

const DEFAULT_FAILURE_RESPONSE =
  "I'm unable to respond to that due to sensitive content. Could we rephrase or discuss something else?";

/** Answers without the model if a request contains a sensitive word. */
export class SafeGuardAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = 0;

  readonly name = 'Safe Guard Advisor';
  override readonly order: number;
  readonly #words: readonly string[];
  readonly #failureResponse: string;

  /** @throws TypeError if there are no words or one of them is empty */
  constructor(options: SafeGuardAdvisorOptions) {
    super();
    const {
      sensitiveWords,
      failureResponse = DEFAULT_FAILURE_RESPONSE,
      order = SafeGuardAdvisor.DEFAULT_ORDER,
    } = requireOptions(SafeGuardAdvisor, options, "{ sensitiveWords: ['…'] }");
    // A builder may omit the words.
    const words = sensitiveWords?.map(comparableText);
    if (!words || words.some((word) => word.trim() === '')) {
      throw new TypeError(
        'sensitiveWords must be a list of words that are not empty and do not only consist of invisible characters.',
      );
    }
    if (!Number.isInteger(order)) throw new RangeError(`order must be a whole number, but is ${order}.`);
    this.order = order;
    this.#words = words;
    this.#failureResponse = failureResponse;
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    return this.#isSensitive(request) ? this.#refuse(request) : next.handle(request);
  }

  #isSensitive({ prompt }: ChatClientRequest): boolean {
    if (this.#words.length === 0) return false;
    return prompt.messages.some((message) => {
      const text = textOf(message);
      // Text may be JSON, and models read through its escapes.
      const texts = [text, ...(text.includes('\\') ? [withoutEscapes(text)] : [])].map(comparableText);
      return this.#words.some((word) => texts.some((comparable) => comparable.includes(word)));
    });
  }

  #refuse({ context }: ChatClientRequest): ChatClientResponse {
    const output = new AssistantMessage(this.#failureResponse);
    const metadata = { finishReason: FinishReason.CONTENT_FILTER };
    return { chatResponse: new ChatResponse({ results: [{ output, metadata }] }), context: { ...context } };
  }
}

const ESCAPE = /\\(["\\/bfnrt])/g;
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A text without the JSON escapes that {@link comparableText} does not handle. */
function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (_escape, letter: string) => ESCAPED[letter] ?? letter);
}

/** All text of a message, including the names and arguments of its tool calls. */
function textOf(message: Message): string {
  if (message.role === 'tool') {
    return message.responses
      .flatMap(({ responseData, content }) => [responseData, ...(content ?? []).map(partText)])
      .join('\n');
  }
  const calls = message.role === 'assistant' ? callsOf(message) : [];
  const media = message.role === 'system' ? [] : (message.media ?? []).map(fileText);
  return [message.text, ...calls, ...media].join('\n');
}

/** The texts of calls, also of those that the provider has run, with their results. */
function callsOf({ toolCalls, providerToolCalls = [] }: AssistantMessage): string[] {
  return [
    ...toolCalls.flatMap((call) => [call.name, call.arguments]),
    ...providerToolCalls.flatMap((call) => [call.name, call.arguments, toJsonText(call.result ?? '')]),
  ];
}

function partText(part: ContentPart): string {
  return part.type === 'text' ? part.text : fileText(part);
}

/** The readable text of a file: its name, its URL, and the content of a text file. */
function fileText({ mimeType, data, ...file }: Media): string {
  return [file.name ?? '', data instanceof URL ? addressOf(mimeType, data) : contentOf(mimeType, data)].join('\n');
}

const TEXT_TYPE = /^text\/|[/+](?:json|xml|yaml)\b/i;

function contentOf(mimeType: string, data: Uint8Array | string): string {
  if (!TEXT_TYPE.test(mimeType)) return '';
  return (typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.from(data)).toString();
}

const BASE64_URL = /^data:[^,]*;base64,/i;

/** A URL, both as given and decoded. For a data URL: its content. */
function addressOf(mimeType: string, { href }: URL): string {
  const read = decoded(href);
  const isContent = BASE64_URL.test(read);
  return isContent ? contentOf(mimeType, read.slice(read.indexOf(',') + 1)) : `${href}\n${read}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
