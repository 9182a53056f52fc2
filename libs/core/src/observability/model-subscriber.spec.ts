import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { lastValueFrom, Observable, take, toArray } from 'rxjs';
import { AskAgain } from '../../../../test/ask-again.js';
import { clientOf } from '../../../../test/both-ways.js';
import { BaseAdvisor } from '../advisor/base-advisor.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import { ScriptedChatModel } from '@nestor-ai/testing';

const SAID = 'the key of the customer is 4711';

/** Answers asynchronously in two chunks, and its teardown throws. */
class UntidyModel extends ScriptedChatModel {
  constructor(private readonly ending: 'complete' | 'fail' | 'hang') {
    super([]);
  }

  override stream(): Observable<ChatResponse> {
    return new Observable((subscriber) => {
      setTimeout(() => {
        subscriber.next(chunk('Hello '));
        subscriber.next(chunk('there'));
        if (this.ending === 'complete') subscriber.complete();
        if (this.ending === 'fail') subscriber.error(new Error('down'));
      });
      return () => {
        throw new TypeError(SAID);
      };
    });
  }
}

const chunk = (text: string): ChatResponse => new ChatResponse({ results: [{ output: new AssistantMessage(text) }] });

const logged: unknown[] = [];
beforeEach(() => {
  logged.length = 0;
  jest.spyOn(Logger.prototype, 'error').mockImplementation((...given: unknown[]) => void logged.push(...given));
});
afterEach(() => {
  jest.restoreAllMocks();
});
/** An error thrown outside a request fails the current test. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

class Passing extends BaseAdvisor {
  readonly name = 'passing';
}

it('a stream that completes synchronously, before it returns its teardown, has answered as well', async () => {
  const model = new ScriptedChatModel([]);
  model.stream = () =>
    new Observable((subscriber) => {
      subscriber.next(chunk('Hello'));
      subscriber.complete();
      return () => {
        throw new TypeError(SAID);
      };
    });
  expect(await lastValueFrom(clientOf(model).prompt('Hi').stream().content())).toBe('Hello');
  await settled();
  expect(logged[0]).toMatch(/failed with/);
});

describe.each([
  ['alone', []],
  ['behind advisors', [new Passing(), new AskAgain()]],
])('a model whose stream has a failing teardown, %s', (_where, advisors) => {
  const ask = (ending: 'complete' | 'fail' | 'hang', internalToolExecutionEnabled = true) =>
    clientOf(new UntidyModel(ending), ...advisors)
      .prompt('Hi')
      .options({ internalToolExecutionEnabled })
      .stream()
      .content();

  describe.each([true, false])('with a tool loop: %s', (hasLoop) => {
    it('still answers', async () => {
      expect(await lastValueFrom(ask('complete', hasLoop).pipe(toArray()))).toEqual(['Hello ', 'there']);
      await settled();
    });

    it('fails with its own error', async () => {
      await expect(lastValueFrom(ask('fail', hasLoop))).rejects.toThrow('down');
      await settled();
    });

    it.each(['complete', 'hang'] as const)('can be unsubscribed (it would %s)', async (ending) => {
      expect(await lastValueFrom(ask(ending, hasLoop).pipe(take(1)))).toBe('Hello ');
      ask(ending, hasLoop).subscribe().unsubscribe();
      await settled();
    });
  });

  it('is logged without the message of the error', async () => {
    await lastValueFrom(ask('complete'));
    await settled();
    expect(logged[0]).toMatch(/The teardown of the model's stream failed with TypeError\./);
    expect(JSON.stringify(logged)).not.toContain(SAID);
  });
});
