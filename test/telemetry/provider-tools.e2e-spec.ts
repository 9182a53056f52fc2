import { describe, expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { lastValueFrom } from 'rxjs';
import { startApplication } from '../nest/application.js';
import { Recorder } from './recorder.js';

const recorder = Recorder.register();

@Injectable()
class Orders {
  @Tool()
  findOrder(id: string): string {
    return `found ${id}`;
  }
}

const SCRIPT: readonly ScriptEntry[] = [
  {
    streamToolInput: true,
    providerToolCalls: [
      { id: 's1', name: 'web_search', arguments: '{"query":"SECRET-QUERY"}', result: ['SECRET-RESULT'] },
      { id: 's2', name: 'web_search', arguments: '{}', result: 'SECRET-ERROR', isError: true },
    ],
    sources: [{ type: 'url', id: '1', url: 'https://SECRET-SOURCE.example', title: 'SECRET-TITLE' }],
    media: [{ mimeType: 'image/png', data: 'SECRETFILE' }],
    toolCalls: [toolCall('findOrder', { id: 'a' })],
    usage: { promptTokens: 5, completionTokens: 9, totalTokens: 14, reasoningTokens: 7 },
    delay: 2,
  },
  'Done.',
];

async function observe(observations: object): Promise<readonly [Record<string, unknown>, Record<string, unknown>]> {
  const properties = { chat: { client: { observations } } };
  const { client } = await startApplication({ providers: [Orders] }, SCRIPT, { properties });
  await lastValueFrom(client.prompt('Go').stream().content());
  const [first, second] = recorder.named('chat');
  return [first!.attributes, second!.attributes];
}

describe('the span of a model call', () => {
  test('names the tools that the provider ran, and says when the model began to write input, without contents', async () => {
    const [first, second] = await observe({});

    expect(first).toMatchObject({
      'nestor.provider_tool.calls': ['web_search', 'web_search'],
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.usage.reasoning.output_tokens': 7,
    });
    const begun = first['nestor.tool_input.time_to_first_chunk'];
    expect(begun).toBeGreaterThanOrEqual(first['gen_ai.response.time_to_first_chunk'] as number);
    expect(JSON.stringify(first)).not.toContain('SECRET');
    expect(second).not.toHaveProperty(['nestor.provider_tool.calls']);
    expect(second).not.toHaveProperty(['nestor.tool_input.time_to_first_chunk']);
  });

  test('shows their contents if completions may be shown, but not the files', async () => {
    const [first] = await observe({ logCompletion: true });

    const [{ parts }] = JSON.parse(first['gen_ai.output.messages'] as string) as [{ parts: object[] }];
    expect(parts.slice(0, -1)).toEqual([
      {
        type: 'server_tool_call',
        id: 's1',
        name: 'web_search',
        server_tool_call: { type: 'web_search', arguments: '{"query":"SECRET-QUERY"}' },
      },
      {
        type: 'server_tool_call_response',
        id: 's1',
        server_tool_call_response: { type: 'web_search', response: '["SECRET-RESULT"]' },
      },
      {
        type: 'server_tool_call',
        id: 's2',
        name: 'web_search',
        server_tool_call: { type: 'web_search', arguments: '{}' },
      },
      {
        type: 'server_tool_call_response',
        id: 's2',
        server_tool_call_response: { type: 'web_search', response: 'SECRET-ERROR' },
      },
      { type: 'media', mime_type: 'image/png' },
      { type: 'source', uri: 'https://SECRET-SOURCE.example', title: 'SECRET-TITLE' },
    ]);
    expect(JSON.stringify(first)).not.toContain('SECRETFILE');
  });
});
