import { describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { Tool, ToolCallback, ToolResult } from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { map } from 'rxjs';
import { startApplication } from '../nest/application.js';
import { askedAbout, Bank, BOTH_WAYS, ORDER, wiring } from './bank.js';

/** What a tool answers, of which strangers have written a part. */
const letter = () => new ToolResult({ text: ` ${ORDER} `, untrusted: true });

const making = (make: (result: ToolResult) => unknown) =>
  class implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler) {
      return next.handle().pipe(map(make));
    }
  };

const Copying = making((result) => Object.assign({}, result, { text: result.text.trim() }));
const Telling = making((result) => result.text.trim());
const Failing = making((result) => {
  throw new Error(result.text);
});

@Catch()
class Repeating implements ExceptionFilter {
  catch(error: Error) {
    return `It failed: ${error.message}`;
  }
}

@Injectable()
class Mail {
  @UseInterceptors(Copying) @Tool() copied() {
    return letter();
  }
  @UseInterceptors(Telling) @Tool() told() {
    return letter();
  }
  @UseInterceptors(Telling) @Tool({ cacheTtl: 60_000 }) kept() {
    return letter();
  }
  @UseInterceptors(Telling) @Tool() async *inPieces() {
    yield 'reading';
    yield letter();
  }
  @UseInterceptors(Failing) @Tool() failed() {
    return letter();
  }
  @UseFilters(Repeating) @UseInterceptors(Failing) @Tool() caught() {
    return letter();
  }
}

/** A tool that reads and answers by itself, in the shape of a result. */
@Injectable()
@UseInterceptors(making((result) => JSON.stringify(result)))
class Post extends ToolCallback {
  readonly toolDefinition = { name: 'post', description: 'Read a letter', inputSchema: { type: 'object' } } as const;

  call() {
    return { text: ORDER, untrusted: true } as never;
  }
}

const NAMES = ['copied', 'told', 'kept', 'inPieces', 'failed', 'caught', 'post'] as const;

describe.each(BOTH_WAYS)('what a tool says that strangers have written, in %s', (_name, answer) => {
  it.each(NAMES)('is still known when an interceptor has made something else of it: %s', async (name) => {
    const { app, client } = await startApplication({ providers: [Mail, Post, Bank] }, [
      { toolCalls: [toolCall(name)] },
      'I have read it.',
      { toolCalls: [toolCall(name)] },
      { toolCalls: [wiring()] },
      'Done.',
    ]);
    await answer(client.prompt('Read my mail'));
    // By now its result may be one that is kept.
    expect(askedAbout(await answer(client.prompt('Read it again')))).toEqual(['wire']);
    expect(app.get(Bank).wired).toEqual([]);
  });
});
