import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { sendLines } from './send.js';

afterEach(() => void jest.useRealTimers());

it('keeps a silent connection open with empty lines: proxies close one after 30 to 60 seconds', () => {
  jest.useFakeTimers();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const written = jest.spyOn(response, 'write').mockReturnValue(true);
  const values = new Subject<object>();
  sendLines(response, values);
  values.next({ type: 'changed' });
  jest.advanceTimersByTime(29_000);
  values.complete();
  jest.advanceTimersByTime(60_000);
  expect(written.mock.calls).toEqual([['{"type":"changed"}\n'], ['\n']]);
});
