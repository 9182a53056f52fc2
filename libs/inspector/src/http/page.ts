import { randomBytes } from 'node:crypto';
import { SCRIPT, STYLE } from './page-assets.data.js';

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#3b50c8"/>' +
    '<path d="M4 12V4l8 8V4" fill="none" stroke="#fff" stroke-width="2"/></svg>',
)}`;

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
    `<link rel="icon" href="${ICON}"><style nonce="${nonce}">${STYLE}</style></head>`,
    `<body><div id="app"></div><noscript>The inspector needs JavaScript.</noscript>`,
    `<script nonce="${nonce}" type="module">${SCRIPT}</script></body></html>`,
  ].join('\n');
  return { html, policy };
}
