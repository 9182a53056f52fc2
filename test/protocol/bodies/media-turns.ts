import { FILES } from './file-server.js';
import type { Media, MessageInput } from '@nestor-ai/core';
import { PNG } from './tool-turns.js';
import type { Turn } from './turn.js';

export const PICTURE_URL = new URL('/paris.png', FILES);

const WAV = Buffer.from('RIFF$...WAVEfmt ');
const PDF = Buffer.from('%PDF-1.7 a page');
const shown = (...media: Media[]): MessageInput => ({ role: 'user', text: 'What is this?', media });
const picture: Media = { mimeType: 'image/png', data: PNG };
const answers = [{ text: 'A city.' }];

/** Turns with pictures and files of the user. */
export const mediaTurns = {
  'a picture': { streamed: true, messages: [shown(picture)], answers },
  'a picture in base64': { messages: [shown({ ...picture, data: PNG.toString('base64') })], answers },
  'a picture URL': { messages: [shown({ ...picture, data: PICTURE_URL })], answers },
  'a picture without a text': { messages: [{ role: 'user', text: '', media: [picture] }], answers },
  'a sound': { messages: [shown({ mimeType: 'audio/wav', data: WAV })], answers },
  'a text file': {
    messages: [shown({ mimeType: 'text/plain', data: Buffer.from('notes'), name: 'notes.txt' })],
    answers,
  },
  'a PDF URL': {
    messages: [shown({ mimeType: 'application/pdf', data: new URL('/a.pdf', FILES) })],
    answers,
  },
  'a PDF': { messages: [shown({ mimeType: 'application/pdf', data: PDF, name: 'page.pdf' })], answers },
  'a PDF without a name': { messages: [shown({ mimeType: 'application/pdf', data: PDF })], answers },
  'options of a picture': {
    messages: [
      shown({
        ...picture,
        providerOptions: { openai: { imageDetail: 'low' }, anthropic: { cacheControl: { type: 'ephemeral' } } },
      }),
    ],
    answers,
  },
} as const satisfies Record<string, Turn>;
