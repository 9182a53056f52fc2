import type { ServerResponse } from 'node:http';
import { type HttpResponse, nodeResponseOf } from '@nestor-ai/core';
import { withHeartbeat } from '@nestor-ai/core/internal';
import { map, type Observable } from 'rxjs';

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** Sends JSON past the interceptors of the application, which may change the form of answers. */
export function sendJson(response: HttpResponse, value: unknown): void {
  begin(response, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
}

/** Sends a page under a content security policy. */
export function sendPage(response: HttpResponse, html: string, policy: string): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
  begin(response, headers).end(html);
}

/** Says why the page does not open, as text in place of the page. */
export function sendRefusal(response: HttpResponse, status: number, reason: string): void {
  const node = begin(response, { 'content-type': 'text/plain; charset=utf-8' });
  node.statusCode = status;
  node.end(reason);
}

/** Sends each value as a line of JSON, and empty lines while there is none. Unsubscribes when the client leaves. */
export function sendLines(response: HttpResponse, values: Observable<unknown>): void {
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8', 'x-accel-buffering': 'no' };
  const node = begin(response, headers);
  node.flushHeaders();
  const lines = values.pipe(map((value) => JSON.stringify(value)));
  const subscription = withHeartbeat(lines, {}, () => '').subscribe({
    next: (line) => void node.write(`${line}\n`),
    error: () => node.end(),
    complete: () => node.end(),
  });
  node.once('close', () => subscription.unsubscribe());
}

function begin(response: HttpResponse, headers: Readonly<Record<string, string>>): ServerResponse {
  const node = nodeResponseOf(response);
  for (const [name, text] of Object.entries({ ...HEADERS, ...headers })) node.setHeader(name, text);
  node.statusCode = 200;
  return node;
}
