import { expect, test } from '@jest/globals';
import { isFileHost, isMediaType } from './file-rules.js';

test.each(['cdn.example.com', 'CDN.example.com', 'cdn.example.com:8443', 'xn--bcher-kva.example', 'files.internal'])(
  '%s is a host of files',
  (host) => {
    expect(isFileHost(host)).toBe(true);
  },
);

test.each([
  '',
  '*',
  '*.example.com/',
  'https://cdn.example.com',
  'cdn.example.com/files',
  'user:pw@cdn.example.com',
  'cdn.example.com:443',
  'localhost',
  'localhost.',
  'api.localhost',
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '169.254.169.254',
  '[::1]',
  '[fd00::1]',
  'cdn example.com',
])('%j is not a host for files', (host) => {
  expect(isFileHost(host)).toBe(false);
});

test('recognizes media types and families of them', () => {
  expect(['image/png', 'image/*', 'application/vnd.ms-excel'].every(isMediaType)).toBe(true);
  expect(['', 'image', '*', '*/*', 'image/', '.png', 'image/png; q=1'].some(isMediaType)).toBe(false);
});
