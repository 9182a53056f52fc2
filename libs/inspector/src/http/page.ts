import { randomBytes } from 'node:crypto';
import { SCRIPT, STYLE } from '../page/page-assets.data.js';

/** The page, and the content security policy that lets only its own script run. */
export function createPage(): { readonly html: string; readonly policy: string } {
  const nonce = randomBytes(18).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const html = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<title>AI inspector</title>',
    `<link rel="icon" href="data:,"><style nonce="${nonce}">${STYLE}</style></head>`,
    `<body><div id="app"></div><noscript>The inspector needs JavaScript.</noscript>`,
    `<script nonce="${nonce}" type="module">${SCRIPT}</script></body></html>`,
  ].join('\n');
  return { html, policy };
}
