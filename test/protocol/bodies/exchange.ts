import type { Answer, Format } from './answers/answer.js';

/** A request as it went over the wire. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** Headers that name the library, or that follow from the body. */
const NOT_COMPARED = new Set(['user-agent', 'content-length']);

/** A `fetch` that records requests and answers each with the next answer. */
export function exchange(format: Format, answers: readonly Answer[]): { sent: SentRequest[]; fetch: typeof fetch } {
  const sent: SentRequest[] = [];
  return {
    sent,
    fetch: async (input, init) => {
      const url = new URL(String(input));
      const answer = answers[sent.length];
      const headers = Object.fromEntries([...new Headers(init?.headers)].filter(([name]) => !NOT_COMPARED.has(name)));
      const body = JSON.parse(String(init?.body)) as unknown;
      sent.push({ method: init?.method ?? 'GET', url: url.pathname + url.search, headers, body });
      if (!answer) throw new Error(`The turn has no answer for request ${sent.length}.`);
      return format(answer, isStreaming(url, body));
    },
  };
}

/** Google and Amazon Bedrock ask for a stream in the path, all others in the body. */
function isStreaming(url: URL, body: unknown): boolean {
  return /stream/i.test(url.pathname) || (body as { stream?: boolean }).stream === true;
}
