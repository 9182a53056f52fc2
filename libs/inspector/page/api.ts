import type { ChatRunEvent } from '../src/chat/chat-runs.js';

/** The path of the page, without a slash at the end. */
const base = location.pathname.replace(/\/+$/, '');

/** The server refused a request. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Has the token of the address. Guards of the application need none, and the server only looks whether it is there. */
const HEADERS = {
  'x-nestor-inspector': new URLSearchParams(location.search).get('token') ?? '1',
  accept: 'application/json',
};

export async function get<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
  return read<T>(await fetch(`${base}/api/${path}${search}`, { headers: HEADERS }));
}

export async function post<T>(path: string, body: object): Promise<T> {
  return read<T>(await send(path, body));
}

/** Sends a request, and receives its answer line by line. Ends when the signal aborts. */
export async function stream(
  path: string,
  body: object,
  onEvent: (event: ChatRunEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await send(path, body, signal);
  if (!response.ok || !response.body) return read(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    for (const line of lines) onEvent(JSON.parse(line) as ChatRunEvent);
  }
}

function send(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  const headers = { ...HEADERS, 'content-type': 'application/json' };
  return fetch(`${base}/api/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (response.ok && value !== undefined) return value as T;
  const { message } = (value ?? {}) as { message?: unknown };
  const shown = Array.isArray(message)
    ? message.join(' ')
    : typeof message === 'string'
      ? message
      : response.statusText;
  throw new ApiError(response.status, shown || `The server answered ${response.status}.`);
}

/** The text of anything that was thrown. */
export function textOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'AbortError') return 'Stopped.';
  return error instanceof Error ? error.message : String(error);
}
