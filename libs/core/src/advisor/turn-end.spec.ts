import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, toArray } from 'rxjs';
import { ChatClient } from '../client/chat-client.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ToolCallingAdvisor } from './tool-calling-advisor.js';

const calling = { toolCalls: [toolCall('look')] };
const TEXT = 'The answer ends here: the model has not answered after 1 round of tool calls, the limit of a turn.';

const clientOf = (last: ScriptEntry): ChatClient =>
  ChatClient.builder(new ScriptedChatModel([calling, last]))
    .defaultTools(new FunctionToolCallback({ name: 'look', toolFunction: () => 'seen' }))
    .defaultAdvisors(new ToolCallingAdvisor({ maxRounds: 1 }))
    .build();

describe('the last answer of a turn that reached the limit of rounds', () => {
  it.each<[string, ScriptEntry, string]>([
    ['the answer of the model', 'It is blue.', 'It is blue.'],
    ['a text about the limit if the model still asks for tools', calling, TEXT],
    ['a text about the limit if the model says nothing', { text: '' }, TEXT],
    ['a text about the limit if the model only sends white space', { text: ' \n' }, TEXT],
  ])('is %s', async (_what, last, text) => {
    const response = await clientOf(last).prompt('Look').call().chatResponse();
    expect(response?.text).toBe(text);
    expect(response?.result?.metadata?.finishReason).toBe('maxRoundsExceeded');
    const chunks = await lastValueFrom(clientOf(last).prompt('Look').stream().chatResponse().pipe(toArray()));
    expect(
      chunks
        .map((chunk) => chunk.text ?? '')
        .join('')
        .trim(),
    ).toBe(text);
    expect(chunks.findLast(({ result }) => result?.metadata?.finishReason)?.result?.metadata?.finishReason).toBe(
      'maxRoundsExceeded',
    );
  });
});
