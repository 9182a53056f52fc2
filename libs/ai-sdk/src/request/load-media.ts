import { ChatModelException, type ContentPart, type Media, type Message, type Prompt, Turn } from '@nestor-ai/core';
import { download, type Downloaded, DownloadFailure, type DownloadRules } from './download.js';
import { isRemote, readMediaData } from './media-data.js';
import type { AiSdkLanguageModel, SupportedUrls } from '../language-model.js';
import { inWords, toolContentOf } from './tool-content.js';

const DEFAULT_MAX_BYTES = 20_000_000;
const DEFAULT_TIMEOUT = 30_000;
/** How many files are downloaded at the same time. */
const PARALLEL = 4;
const NO_RULES: DownloadRules = Object.freeze({});

type FileContent = Exclude<ContentPart, { type: 'text' }>;

/** The files that a turn has downloaded. Each round of the turn sends them again. */
interface TurnFiles {
  readonly byUrl: Map<string, Downloaded>;
  /** The URLs of tools' files that could not be downloaded. They stay words until the turn ends. */
  readonly inWords: Set<string>;
  bytes: number;
}

/** What {@link loadMedia} needs to know besides the prompt. */
export interface MediaSettings {
  readonly takesToolContent?: boolean;
  readonly downloads?: DownloadRules | false;
}

/**
 * The messages of a prompt, in which files that the model's provider does not fetch itself are
 * bytes. Not a promise if no file is at a URL. A file of a tool that cannot be downloaded is
 * described in words.
 *
 * @throws ChatModelException if a file of another message cannot be downloaded
 */
export function loadMedia(
  prompt: Prompt,
  model: AiSdkLanguageModel,
  { takesToolContent, downloads = NO_RULES }: MediaSettings,
  signal: AbortSignal | undefined,
): readonly Message[] | Promise<readonly Message[]> {
  if (downloads === false || !prompt.messages.some(hasRemoteFile)) return prompt.messages;
  return new MediaLoader(prompt, model, takesToolContent, downloads, signal).load();
}

function hasRemoteFile(message: Message): boolean {
  switch (message.role) {
    case 'system':
      return false;
    case 'tool':
      return message.responses.some(({ content, isError }) => !isError && content?.some(isRemotePart));
    default:
      return message.media?.some(({ data }) => isRemote(data)) ?? false;
  }
}

function isRemotePart(part: ContentPart): part is FileContent {
  return part.type !== 'text' && isRemote(part.data);
}

/** Loads the files of one prompt. */
class MediaLoader {
  readonly #files: TurnFiles;
  readonly #running = new Map<string, Promise<Downloaded>>();
  readonly #maxBytes: number;
  readonly #timeout: number;
  /** Ends the other downloads when one has failed. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #timer: AbortSignal;

  constructor(
    private readonly prompt: Prompt,
    private readonly model: AiSdkLanguageModel,
    private readonly takesToolContent: boolean | undefined,
    private readonly rules: DownloadRules,
    private readonly callerSignal: AbortSignal | undefined,
  ) {
    const { maxBytes = DEFAULT_MAX_BYTES, timeout = DEFAULT_TIMEOUT } = rules;
    this.#maxBytes = maxBytes;
    this.#timeout = timeout;
    this.#timer = AbortSignal.timeout(timeout);
    this.#signal = AbortSignal.any([this.#stop.signal, this.#timer, ...(callerSignal ? [callerSignal] : [])]);
    const make = (): TurnFiles => ({ byUrl: new Map(), inWords: new Set(), bytes: 0 });
    this.#files = Turn.of({ prompt })?.state(rules, make) ?? make();
  }

  async load(): Promise<readonly Message[]> {
    const { messages } = this.prompt;
    const urls = (await this.model.supportedUrls) ?? { '*': [/^/] };
    const loaded = new Map<Media | FileContent, Media | ContentPart>();
    const jobs: (() => Promise<unknown>)[] = [];
    for (const message of messages) {
      if (!hasRemoteFile(message)) continue;
      if (message.role === 'tool') {
        const parts = message.responses.flatMap(({ content = [], isError }) => (isError ? [] : content));
        const wanted = parts.filter(isRemotePart).filter((part) => this.#isWanted(part));
        for (const part of wanted) jobs.push(async () => loaded.set(part, await this.#shown(part)));
      } else if (message.role !== 'system') {
        const wanted = message.media!.filter(
          ({ data, mimeType }) => isRemote(data) && !isFetched(data, mimeType, urls),
        );
        for (const item of wanted) jobs.push(async () => loaded.set(item, await this.#loaded(item)));
      }
    }
    const queue = jobs.values();
    const work = async (): Promise<void> => {
      for (const job of queue) await job();
    };
    try {
      await Promise.all(Array.from({ length: PARALLEL }, work));
    } catch (error) {
      this.#stop.abort();
      throw error;
    }
    return loaded.size === 0 ? messages : messages.map((message) => withLoaded(message, loaded));
  }

  /** Whether a part of a tool result is sent as bytes. */
  #isWanted({ mimeType, data }: FileContent): boolean {
    const taken = toolContentOf(this.model, this.takesToolContent);
    return taken !== undefined && taken.types.test(mimeType) && !taken.urls.test(String(data));
  }

  async #shown(part: FileContent): Promise<ContentPart> {
    const { inWords: failed } = this.#files;
    const url = String(part.data);
    if (!failed.has(url)) {
      try {
        return { ...part, ...(await this.#bytesOf(part)) };
      } catch (error) {
        if (!(error instanceof DownloadFailure)) throw error;
        failed.add(url);
      }
    }
    return { type: 'text', text: inWords(part, 'could not be loaded') };
  }

  async #loaded(item: Media): Promise<Media> {
    try {
      return { ...item, ...(await this.#bytesOf(item)) };
    } catch (error) {
      if (!(error instanceof DownloadFailure)) throw error;
      throw new ChatModelException(
        `A file of the type ${item.mimeType} cannot be sent to the model: ${error.message}. The provider does not fetch it itself. ` +
          'Send its bytes, or change the setting `downloads` of AiSdkChatModel.',
        { isRetryable: error.isRetryable, cause: error },
      );
    }
  }

  async #bytesOf({ data, mimeType }: Media | FileContent): Promise<{ data: Uint8Array; mimeType: string }> {
    const url = readMediaData(data) as URL;
    const file = await this.#downloaded(url);
    const given = file.mimeType ?? '';
    if (!isOfFamily(given, mimeType)) throw new DownloadFailure(`its server sends ${given.slice(0, 50)} instead`);
    return { data: file.data, mimeType: mimeType.endsWith('/*') && given !== '' ? given : mimeType };
  }

  /** The file of a URL. Several messages may have the same one. */
  async #downloaded({ href }: URL): Promise<Downloaded> {
    const { byUrl } = this.#files;
    const known = byUrl.get(href);
    if (known) return known;
    let running = this.#running.get(href);
    if (!running) this.#running.set(href, (running = this.#download(new URL(href))));
    const file = await running;
    byUrl.set(href, file);
    return file;
  }

  async #download(url: URL): Promise<Downloaded> {
    let received = 0;
    const receive = (bytes: number): void => {
      received += bytes;
      this.#files.bytes += bytes;
      if (this.#files.bytes > this.#maxBytes) {
        throw new DownloadFailure(`the files of a turn may have at most ${this.#maxBytes} bytes together`);
      }
    };
    try {
      return await download(url, this.rules, receive, this.#signal);
    } catch (error) {
      this.#files.bytes -= received;
      this.callerSignal?.throwIfAborted();
      if (this.#timer.aborted) throw new DownloadFailure(`the download took longer than ${this.#timeout} ms`, true);
      throw error;
    }
  }
}

/** Whether a server's media type fits the expected one. Many servers do not know their files. */
function isOfFamily(given: string, expected: string): boolean {
  if (given === '' || /^(?:application|binary)\/octet-stream$/i.test(given)) return true;
  return given.split('/')[0]!.toLowerCase() === expected.split('/')[0]!.toLowerCase();
}

/** Whether the provider fetches the URL itself. Media types match exactly or by their family. */
function isFetched(data: Media['data'], mimeType: string, supported: SupportedUrls): boolean {
  const url = String(data);
  const type = mimeType.toLowerCase();
  return Object.entries(supported).some(([key, patterns]) => {
    const known = key.toLowerCase().replace(/\*.*$/, '');
    const isMeant = known === '' || (known.endsWith('/') ? type.startsWith(known) : type === known);
    return isMeant && patterns.some((pattern) => pattern.test(url));
  });
}

function withLoaded(message: Message, loaded: ReadonlyMap<object, Media | ContentPart>): Message {
  const replaced = <T extends object>(items: readonly T[]): readonly T[] =>
    items.map((item) => (loaded.get(item) as T | undefined) ?? item);
  switch (message.role) {
    case 'system':
      return message;
    case 'tool': {
      const { responses, ...rest } = message;
      const withFiles = responses.map((response) =>
        response.content ? { ...response, content: replaced(response.content) } : response,
      );
      return { ...rest, responses: withFiles };
    }
    default: {
      const { media, ...rest } = message;
      return media ? { ...rest, media: replaced(media) } : message;
    }
  }
}
