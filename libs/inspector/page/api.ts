import type { ChatRunEvent } from '../src/chat/chat-runs.js';

/** The path of the page, without a slash at the end. */
export const base = location.pathname.replace(/\/+$/, '');

/** The server refused a request. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Why a request has no answer. */
export const OFFLINE = 'The application does not answer.';

/** The user that the page acts as. Empty: the user of the page. All reads and runs have it. */
export const acting = { as: '' };

/** Has the token of the address. Guards of the application need none, and the server only looks whether it is there. */
const HEADERS = {
  'x-nestor-inspector': new URLSearchParams(location.search).get('token') ?? '1',
  accept: 'application/json',
};

/** @param path with its query */
export async function get<T>(path: string): Promise<T> {
  const user = acting.as && `${path.includes('?') ? '&' : '?'}as=${encodeURIComponent(acting.as)}`;
  return read<T>(await send(path + user, { headers: HEADERS }));
}

export async function post<T>(path: string, body: object): Promise<T> {
  return read<T>(await postTo(path, body));
}

/** Sends a request, and receives its answer line by line. Ends when the signal aborts. */
export async function stream(
  path: string,
  body: object,
  onEvent: (event: ChatRunEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  return lines(await postTo(path, body, signal), (line) => onEvent(JSON.parse(line) as ChatRunEvent));
}

/** Calls back with each change of a turn, until the connection ends. */
export async function changes(onChange: () => void): Promise<void> {
  return lines(await send('changes', { headers: HEADERS }), onChange);
}

async function lines(response: Response, onLine: (line: string) => void): Promise<void> {
  if (!response.ok || !response.body) return read(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop()!;
    // Empty lines keep the connection open.
    parts.filter(Boolean).forEach(onLine);
  }
}

function postTo(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return send(path, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...(acting.as !== '' && acting) }),
    ...(signal && { signal }),
  });
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${base}/api/${path}`, init);
  } catch (error) {
    // A browser says "Failed to fetch".
    if (error instanceof TypeError) throw new Error(OFFLINE, { cause: error });
    throw error;
  }
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
