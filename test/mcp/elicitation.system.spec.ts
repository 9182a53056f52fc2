import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { toolCall } from '@nestor-ai/testing';
import { resultOf } from '../nest/application.js';
import { fixture } from './fixtures/client-application.js';
import { ann, ask, bob, decide, questionOf, start } from './support/elicitation.js';

describe('a server of protocol 2025 that asks the user in the middle of a call', () => {
  it('over stdio asks the user of the call, and nobody if two users call it at once', async () => {
    const stdio = { command: process.execPath, args: [fixture('legacy-stdio-server.mjs')] };
    const alone = { toolCalls: [toolCall('ask', { from: 'ann' }, 'c1')] };
    const together = { toolCalls: [toolCall('ask', { from: 'both', calls: 2 }, 'c1')] };
    const scene = await start(stdio, { script: [alone, together, together, 'done', 'done', 'done'] });
    const asked = await ask(scene);
    expect(questionOf(asked)?.message).toBe('Question of ann');
    const both = await Promise.all([ask(scene, ann), ask(scene, bob)]);
    expect(both.map(questionOf)).toEqual([undefined, undefined]);
    expect(resultOf(scene)).toBe('{"action":"cancel"}');
    await decide(scene, asked, { input: { answer: 'yes' } });
    expect(JSON.parse(resultOf(scene))).toEqual({ action: 'accept', content: { answer: 'yes' } });
  });
});

describe('server-everything', () => {
  const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const everything = { command: process.execPath, args: [program, 'stdio'] };

  it('gets the form that a user has filled in', async () => {
    const scene = await start(everything, { tool: 'trigger-elicitation-request' });
    const asked = await ask(scene);
    expect(Object.keys(questionOf(asked)!.schema!['properties'] as object)).toContain('name');
    await decide(scene, asked, { input: { name: 'Ann' } });
    expect(resultOf(scene)).toContain('Name: Ann');
  });

  it('lets the user open a page during the call', async () => {
    const input = { url: 'https://example.com/' };
    const scene = await start(everything, { tool: 'trigger-url-elicitation', input });
    const asked = await ask(scene);
    expect(questionOf(asked)?.url).toBe('https://example.com/');
    await decide(scene, asked, {});
    expect(resultOf(scene)).toContain('User completed the URL elicitation flow');
  });

  it('lets the user open a page before the call, and is then called again', async () => {
    const input = { url: 'https://example.com/', errorPath: true };
    const scene = await start(everything, { tool: 'trigger-url-elicitation', input });
    const before = await ask(scene);
    expect(questionOf(before)?.url).toBe('https://modelcontextprotocol.io');
    expect(questionOf(await decide(scene, before, {}))?.url).toBe('https://example.com/');
  });
});
