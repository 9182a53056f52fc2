import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { ToolSearchModule } from '@nestor-ai/tool-search';
import { InspectedApplication, question } from './inspected-application.js';

@Injectable()
class OfficeTools {
  @Tool({ description: 'Sends an email to a person' })
  sendEmail(to: string) {
    return to;
  }

  @Tool({ description: 'Books a meeting room' })
  bookRoom(room: string) {
    return room;
  }
}

describe('a search for tools on the page', () => {
  it('has the hits with their scores', async () => {
    const script = [{ toolCalls: [toolCall('toolSearchTool', { query: 'send an email' }, 'c1')] }, 'Done.'];
    const app = await InspectedApplication.start({
      chatModel: new ScriptedChatModel(script),
      imports: [ToolSearchModule.forRoot()],
      ai: { properties: { chat: { client: { toolSearchAdvisor: { enabled: true } } } } as never },
      providers: [OfficeTools],
    });
    const { id } = await app.run('chat', question('Mail Ada'));
    const turn = await app.json<{
      tools: { name: string; result: string; hits?: { name: string; score: number }[] }[];
    }>(`turns/${id}`);
    expect(turn.tools[0]).toMatchObject({
      name: 'toolSearchTool',
      result: '["sendEmail"]',
      hits: [{ name: 'sendEmail', score: 1 }],
    });
    await app.close();
  });
});
