import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PNG } from './tool-turns.js';

const server = createServer((request, response) => {
  const isPdf = request.url?.endsWith('.pdf');
  response.writeHead(200, { 'content-type': isPdf ? 'application/pdf' : 'image/png' }).end(isPdf ? '%PDF-1.7' : PNG);
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
// It ends with the process of the tests.
server.unref();

/** The address of the files that a provider does not fetch itself. */
export const FILES = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
