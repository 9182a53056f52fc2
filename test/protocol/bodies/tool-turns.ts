import type { MessageInput } from '@nestor-ai/core';
import type { AnsweredCall } from './answers/answer.js';
import type { Turn, TurnTool } from './turn.js';

export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

export const weather: TurnTool = {
  name: 'weather',
  description: 'Weather of a city',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'The city' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
  run: ({ city }) => `21 degrees in ${String(city)}`,
};

export const question: MessageInput = { role: 'user', text: 'How warm is Paris?' };
export const text = { text: 'It is 21 degrees.' };
export const call = (city: string, id = 'call00001'): AnsweredCall => ({ id, name: 'weather', args: { city } });
const messages = [question];
const tools = [weather];
const called = [{ calls: [call('Paris')] }];
const onceCalled = [...called, text];

/** Turns with tools of ours. */
export const toolTurns = {
  'a tool that is not called': { messages, tools, answers: [text] },
  'tool choice auto': { messages, tools, options: { toolChoice: 'auto' }, answers: [text] },
  'tool choice none': { messages, tools, options: { toolChoice: 'none' }, answers: [text] },
  'tool choice required': { messages, tools, options: { toolChoice: 'required' }, answers: called },
  'tool choice of a name': { messages, tools, options: { toolChoice: { toolName: 'weather' } }, answers: called },
  'a tool call': { streamed: true, system: 'Be brief.', messages, tools, answers: onceCalled },
  'a text before a tool call': {
    streamed: true,
    messages,
    tools,
    answers: [{ ...text, calls: [call('Paris')] }, text],
  },
  'two rounds of tools': {
    messages,
    tools,
    answers: [{ calls: [call('Paris')] }, { calls: [call('Rome', 'call00002')] }, text],
  },
  'parallel calls': {
    streamed: true,
    messages,
    tools,
    answers: [{ calls: [call('Paris'), call('Rome', 'call00002')] }, text],
  },
  'a tool that gives an object': {
    messages,
    tools: [{ ...weather, run: () => ({ degrees: 21, wind: null }) }],
    answers: onceCalled,
  },
  'a tool that gives nothing': { messages, tools: [{ ...weather, run: () => undefined }], answers: onceCalled },
  'a tool that gives null': { messages, tools: [{ ...weather, run: () => null }], answers: onceCalled },
  'a tool that gives a number': { messages, tools: [{ ...weather, run: () => 21 }], answers: onceCalled },
  'a tool that gives an empty text': { messages, tools: [{ ...weather, run: () => '' }], answers: onceCalled },
  'a tool without input': {
    messages,
    tools: [{ ...weather, inputSchema: { type: 'object', properties: {} } }],
    answers: [{ calls: [{ ...call('Paris'), args: {} }] }, text],
  },
  'a call of an unknown tool': {
    messages,
    tools,
    answers: [{ calls: [{ ...call('Paris'), name: 'whether' }] }, text],
  },
  'a call with wrong arguments': {
    messages,
    tools,
    answers: [{ calls: [{ ...call('Paris'), args: { days: 0 } }] }, text],
  },
  'an empty text before a tool call': { messages, tools, answers: [{ text: '', calls: [call('Paris')] }, text] },
  'a tool that fails': {
    streamed: true,
    messages,
    tools: [
      {
        ...weather,
        run: () => {
          throw new Error('The station is closed');
        },
      },
    ],
    answers: onceCalled,
  },
  'a tool call before': {
    messages: [
      question,
      {
        role: 'assistant',
        text: 'Let me see.',
        toolCalls: [{ id: 'call00000', name: 'weather', arguments: '{"city":"Rome"}' }],
      },
      { role: 'tool', responses: [{ id: 'call00000', name: 'weather', responseData: '25 degrees' }] },
      { role: 'assistant', text: '25 degrees.' },
      { role: 'user', text: 'And in Paris?' },
    ],
    tools,
    answers: [text],
  },
  'a strict tool': { messages, tools: [{ ...weather, strict: true }], answers: [text] },
  'a tool that is not strict': { messages, tools: [{ ...weather, strict: false }], answers: [text] },
  'examples of inputs': { messages, tools: [{ ...weather, inputExamples: [{ city: 'Oslo' }] }], answers: [text] },
  'options of a tool': {
    messages,
    tools: [
      {
        ...weather,
        providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } }, openai: { deferLoading: true } },
      },
    ],
    answers: [text],
  },
  'a tool that gives a picture': { messages, tools: [{ ...weather, picture: PNG }], answers: onceCalled },
} as const satisfies Record<string, Turn>;
