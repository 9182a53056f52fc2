/** What a provider answers, in no format. The parts come in the order of the fields. */
export interface Answer {
  /** The answer starts with reasoning that has a signature. */
  readonly reasoning?: boolean;
  /** The provider has searched the web before it went on. */
  readonly search?: boolean;
  readonly text?: string;
  readonly calls?: readonly AnsweredCall[];
}

export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  readonly args: object;
}

/** Puts an answer into a provider's format. */
export type Format = (answer: Answer, streaming: boolean) => Response;

export const REASONING = 'The user wants facts.';
export const SIGNATURE = 'c2lnbmVkLWJ5LXRoZS1wcm92aWRlcg==';
export const QUERY = 'weather in Paris';
export const PAGE = { url: 'https://weather.example/paris', title: 'Paris' };

export function jsonOf(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
}

/** Server-sent events. An event with a `type` gets it as its name, as Anthropic and OpenAI do. */
export function eventsOf(events: readonly object[], end = ''): Response {
  const lines = events.map((event) => {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return new Response(lines.join('') + end, { headers: { 'content-type': 'text/event-stream' } });
}
