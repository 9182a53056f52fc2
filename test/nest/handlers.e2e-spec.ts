import { describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  NotFoundException,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Tool, ToolCallbacks, ToolCallers, ToolInputException, ToolRegistry, toolsWhere } from '@nestor-ai/core';
import { Handler } from '@nestor-ai/core/internal';
import { bootstrapError, callOf, offeredTools, resultOf, startApplication } from './application.js';

const KIND = 'note';

class Signed implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ user?: string }>().user !== undefined;
  }
}

@Injectable({ scope: Scope.REQUEST })
@UseGuards(Signed)
class Notes {
  constructor(@Inject(REQUEST) private readonly request: { user: string }) {}

  @Handler({ kind: KIND, name: 'note:latest' })
  latest(count: number): string {
    if (count > 9) throw new NotFoundException('There are 9 notes.');
    return `${count} notes of ${this.request.user}`;
  }

  @Handler({ kind: KIND, name: 'note:both' })
  @Tool({ name: 'both' })
  both(): string {
    return 'both';
  }
}

describe('a method that is a handler of a kind, not a tool', () => {
  it('is never offered to a model: by default, by class, by instance, by name or by query', async () => {
    const scene = await startApplication({ providers: [Notes] }, [
      'a',
      'b',
      'c',
      'd',
      ...callOf('note:latest', { count: 1 }),
    ]);
    const { client, app, model } = scene;
    const request = { user: 'ada' };
    await client.prompt('hi').request(request).call().content();
    expect(offeredTools(model)).toEqual(['both']);
    await client.prompt('hi').tools(Notes).call().content();
    expect(offeredTools(model)).toEqual(['both']);
    await client.prompt('hi').tools(new Notes(request)).call().content();
    expect(offeredTools(model)).toEqual(['both']);
    await client.prompt('hi').tools(toolsWhere({})).call().content();
    expect(offeredTools(model)).toEqual(['both']);
    await expect(client.prompt('hi').tools('note:latest').call().content()).rejects.toThrow("'note:latest'");
    await client.prompt('hi').request(request).call().content();
    expect(resultOf(scene)).toContain("Unknown tool 'note_latest'");
    expect(
      app
        .get(ToolRegistry)
        .list()
        .map(({ name }) => name),
    ).toEqual(['both']);
    class Plain {
      @Handler({ kind: KIND }) hidden(): string {
        return 'hidden';
      }
    }
    expect(() => ToolCallbacks.from(new Plain())).toThrow('No @Tool() methods found');
  });

  it('is found by its kind, and called with guards, scope and validation', async () => {
    const { app } = await startApplication({ providers: [Notes] });
    const handlers = app.get(ToolRegistry).handlers(KIND);
    expect(handlers.map(({ name, className, methodName }) => `${name} ${className}.${methodName}`)).toEqual([
      'note:latest Notes.latest',
      'note:both Notes.both',
    ]);
    const [{ callback: tool }] = handlers as [(typeof handlers)[0]];
    const caller = app.get(ToolCallers).of('test');
    const answerFor = (count: unknown, user?: string) =>
      caller.call({ tool, arguments: { count }, request: { ...(user && { user }) } });
    expect(await answerFor('3', 'ada')).toMatchObject({ response: { responseData: '3 notes of ada' } });
    expect(await answerFor('3')).toMatchObject({ response: { isError: true, responseData: 'Forbidden resource' } });
    expect(await answerFor('many', 'ada')).toMatchObject({ error: expect.any(ToolInputException) });
    expect(await answerFor(10, 'ada')).toMatchObject({
      response: { responseData: 'There are 9 notes.' },
      error: expect.any(NotFoundException),
    });
  });

  it('stops the bootstrap with its place if its arguments cannot be described', async () => {
    class Unclear {
      @Handler({ kind: KIND, name: 'note:all' }) all(_filter: object): string {
        return '';
      }
    }
    const { message } = await bootstrapError({ providers: [Unclear] });
    expect(message).toContain("The note 'note:all' (Unclear.all) cannot be offered.");
  });
});
