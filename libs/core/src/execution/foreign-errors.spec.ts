import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ChatClient } from '../client/chat-client.js';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { ToolExecutionException } from '../tool/tool-execution.exception.js';
import { DefaultToolCallingManager } from './default-tool-calling-manager.js';
import {
  DefaultToolExecutionExceptionProcessor,
  type ToolExecutionExceptionProcessorOptions,
} from './tool-execution-exception-processor.js';

function refuse(): never {
  throw new Error('do not look');
}

/** An error with one unreadable property. */
function opaque(key: string, error: object = new Error('out of stock')): object {
  return Object.defineProperty(error, key, { get: refuse });
}

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable(new Error('gone'), {});
  revoke();
  return proxy;
};

const HOSTILE: [what: string, thrown: () => unknown][] = [
  ...[
    'cause',
    'message',
    'stack',
    'name',
    'code',
    'constructor',
    'getStatus',
    'getResponse',
    'syscall',
    'path',
    'then',
  ].map((key): [string, () => unknown] => [`a getter of ${key} that throws`, () => opaque(key)]),
  ['a getResponse() that throws', () => Object.assign(new Error('x'), { getStatus: () => 400, getResponse: refuse })],
  ['a getStatus() that throws', () => Object.assign(new Error('x'), { getStatus: refuse, getResponse: () => 'y' })],
  ['a status that is no number', () => Object.assign(new Error('x'), { getStatus: () => Symbol('s') })],
  [
    'a response whose message throws',
    () => Object.assign(new Error('x'), { getStatus: () => 400, getResponse: () => opaque('message', {}) }),
  ],
  [
    'a response whose messages cannot be written',
    () =>
      Object.assign(new Error('x'), { getStatus: () => 400, getResponse: () => ({ message: [{ toString: refuse }] }) }),
  ],
  ['a cause that is revoked', () => new Error('x', { cause: revoked() })],
  ['a cause of a cause that throws', () => new Error('x', { cause: opaque('cause') })],
  [
    'an error of a tool whose cause throws',
    () => opaque('cause', new ToolExecutionException({ name: 't' } as never, 1)),
  ],
  ['a revoked proxy', revoked],
  [
    'a proxy that refuses all',
    () => new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse }),
  ],
  ['a name that is a symbol', () => Object.assign(new Error(''), { name: Symbol('s') })],
  ['a symbol', () => Symbol('s')],
  ['a function', () => refuse],
  ['nothing', () => undefined],
  ['an object without a prototype', () => Object.create(null)],
];

describe.each<[string, ToolExecutionExceptionProcessorOptions]>([
  ['told', {}],
  ['hidden', { exposure: 'safe' }],
  ['looked at by its class', { rethrow: [RangeError] }],
])('an error that is %s', (_how, options) => {
  // With `safe`, the errors are logged.
  beforeEach(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
  afterEach(() => void jest.restoreAllMocks());

  it.each(HOSTILE)('does not end a turn: %s', async (_what, thrown) => {
    const tool = new FunctionToolCallback({
      name: 'stock',
      toolMetadata: { returnDirect: false, retry: { retries: 1, minDelay: 1 } },
      toolFunction: () => {
        throw thrown();
      },
    });
    const toolExecutionExceptionProcessor = new DefaultToolExecutionExceptionProcessor(options);
    const toolCallingManager = new DefaultToolCallingManager({ toolExecutionExceptionProcessor });
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('stock')] }, 'Sorry.']);
    const client = ChatClient.create(model);
    const request = client.prompt('Any?').tools(tool).advisors(new ToolCallingAdvisor({ toolCallingManager }));
    expect(await request.call().content()).toBe('Sorry.');
    expect(model.toolResponses[0]).toMatch(/\w/);
  });
});
