import { describe, expect, it } from '@jest/globals';
import {
  type ArgumentMetadata,
  BadRequestException,
  Controller,
  DefaultValuePipe,
  Injectable,
  ParseIntPipe,
  type PipeTransform,
  Scope,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { IsString } from 'class-validator';
import { Observable } from 'rxjs';
import { AiToolExecutionContext, Tool, ToolContext, ToolParam } from '@nestor-ai/core';
import { askForResult, bootstrapError, callOf, startApplication } from './application.js';

@Injectable()
class Words {
  readonly shout = (text: string) => text.toUpperCase();
}

@Injectable()
class ShoutPipe implements PipeTransform {
  constructor(private readonly words: Words) {}
  transform(value: unknown) {
    return typeof value === 'string' ? this.words.shout(value) : value;
  }
}

class Seen implements PipeTransform {
  static readonly all: [unknown, ArgumentMetadata][] = [];
  transform(value: unknown, metadata: ArgumentMetadata) {
    Seen.all.push([value, metadata]);
    return value;
  }
}

class Booking {
  @IsString() city!: string;
}

const result = async (provider: new (...args: never[]) => object, name: string, input: object, others: object[] = []) =>
  askForResult(await startApplication({ providers: [provider, Words, ...others] as never }, callOf(name, input)));

describe('pipes of a tool method', () => {
  it('change its arguments, with what is injected into them, and leave the context alone', async () => {
    @Injectable()
    class Tools {
      @UsePipes(ShoutPipe)
      @Tool()
      greet(name: string, context: ToolContext, @ToolParam({ required: false }) greeting?: string) {
        return `${greeting} ${name} ${context instanceof ToolContext}`;
      }
    }
    expect(await result(Tools, 'greet', { name: 'ada', greeting: 'hello' })).toBe('HELLO ADA true');
    expect(await result(Tools, 'greet', { name: 'ada' })).toBe('undefined ADA true');
  });

  it('of its class, and of a class above it', async () => {
    @UsePipes(ShoutPipe)
    class Base {
      @Tool() greet(name: string) {
        return name;
      }
    }
    @Injectable()
    class Tools extends Base {}
    @UsePipes(new DefaultValuePipe('nobody'))
    @Injectable()
    class Defaults {
      @Tool() greet(@ToolParam({ required: false }) name?: string) {
        return name;
      }
    }
    expect(await result(Tools, 'greet', { name: 'ada' })).toBe('ADA');
    expect(await result(Defaults, 'greet', {})).toBe('nobody');
  });

  it('tell the model what is wrong, as an error it can act on', async () => {
    class Even implements PipeTransform {
      transform(value: number) {
        if (value % 2 === 1) throw new BadRequestException(`${value} is odd`);
        return value;
      }
    }
    @Injectable()
    class Tools {
      @UsePipes(Even)
      @Tool()
      half(n: number) {
        return n / 2;
      }
      @UsePipes(ParseIntPipe)
      @Tool()
      square(n: number) {
        return n * n;
      }
    }
    expect(await result(Tools, 'half', { n: 3 })).toBe('3 is odd');
    expect(await result(Tools, 'square', { n: 3 })).toBe('9');
  });

  it('keep the progress of what a tool returns as a stream', async () => {
    @Injectable()
    class Tools {
      @UsePipes(ShoutPipe)
      @Tool()
      count(word: string) {
        return new Observable((subscriber) => {
          subscriber.next('one');
          subscriber.next(word);
          subscriber.complete();
        });
      }
    }
    const { client } = await startApplication({ providers: [Tools, Words] }, callOf('count', { word: 'two' }));
    const events: unknown[] = [];
    for await (const event of client.prompt('Go').stream().events()) {
      if (event.type === 'tool-progress') events.push(event.value);
      if (event.type === 'tool-result') events.push(event.response.responseData);
    }
    expect(events).toEqual(['one', 'TWO']);
  });

  it('run for a host that is made for each request, with its own instance', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Tools {
      @UsePipes(ShoutPipe)
      @Tool()
      greet(name: string) {
        return name;
      }
    }
    expect(await result(Tools, 'greet', { name: 'ada' })).toBe('ADA');
  });
});

describe('global pipes', () => {
  @Injectable()
  class Tools {
    @Tool() book(booking: Booking, context: ToolContext) {
      return `${booking instanceof Booking} ${booking.city} ${context instanceof ToolContext}`;
    }
    @Tool() add(first: number, @ToolParam({ name: 'second' }) b: number) {
      return first + b;
    }
    @Tool() nothing() {
      return 'nothing';
    }
    @Tool({ inputType: Booking }) typed(booking: unknown) {
      return String(booking instanceof Booking);
    }
  }

  it('see each argument with its name, as those of a request body; what is an instance already, they need not make', async () => {
    const { app, ...scene } = await startApplication({ providers: [Tools] }, [
      ...callOf('book', { city: 'Oslo' }),
      ...callOf('add', { first: 1, second: 2 }),
      ...callOf('typed', { city: 'Rome' }),
      ...callOf('nothing'),
    ]);
    app.useGlobalPipes(new Seen());
    const results = [];
    for (let index = 0; index < 4; index++) results.push(await askForResult({ app, ...scene }));
    expect(results).toEqual(['true Oslo true', '3', 'true', 'nothing']);
    expect(Seen.all.splice(0).map(([value, { type, data, metatype }]) => ({ value, type, data, metatype }))).toEqual([
      { value: { city: 'Oslo' }, type: 'body', data: undefined, metatype: Object },
      { value: 1, type: 'body', data: 'first', metatype: Number },
      { value: 2, type: 'body', data: 'second', metatype: Number },
      { value: { city: 'Rome' }, type: 'body', data: undefined, metatype: Object },
    ]);
  });

  it('of every kind hold: added later, injected, made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest extends ShoutPipe {}
    @Injectable()
    class Greeting {
      @Tool() greet(name: string) {
        return name;
      }
    }
    for (const useClass of [ShoutPipe, PerRequest]) {
      expect(await result(Greeting, 'greet', { name: 'ada' }, [{ provide: APP_PIPE, useClass }])).toBe('ADA');
    }
  });

  it('may be the ValidationPipe of the application', async () => {
    const pipe = {
      provide: APP_PIPE,
      useValue: new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
    };
    expect(await result(Tools, 'book', { city: 'Oslo' }, [pipe])).toBe('true Oslo true');
    expect(await result(Tools, 'book', { city: 7 }, [pipe])).toMatch(/city/);
    expect(await result(Tools, 'add', { first: 1, second: 2 }, [pipe])).toBe('3');
  });
});

describe('a guard and a pipe', () => {
  it('come in the order of Nest: the guard sees the arguments as they were', async () => {
    const seen: unknown[] = [];
    class Tools {
      @UsePipes(new ShoutPipe(new Words()))
      @Tool()
      greet(name: string) {
        return name;
      }
    }
    const { app, ...scene } = await startApplication({ providers: [Tools] }, callOf('greet', { name: 'ada' }));
    app.useGlobalGuards({
      canActivate(context) {
        seen.push(...AiToolExecutionContext.of(context).args);
        return true;
      },
    });
    expect(await askForResult({ app, ...scene })).toBe('ADA');
    expect(seen).toEqual(['ada']);
  });

  it('that is no refusal, but breaks, tells the model nothing of the internals', async () => {
    class Tools {
      @Tool() work() {
        return 'worked';
      }
    }
    const { app, ...scene } = await startApplication({ providers: [Tools] }, callOf('work'));
    app.useGlobalGuards({ canActivate: (context) => Boolean(context.switchToHttp().getResponse<Date>().getTime()) });
    expect(await askForResult({ app, ...scene })).toBe('The tool cannot be called now.');
  });
});

describe('pipes of a tool on a controller', () => {
  it('stop the bootstrap, since Nest would run them for requests only', async () => {
    @Controller()
    class Admin {
      @UsePipes(ParseIntPipe)
      @Tool()
      square(n: number) {
        return n * n;
      }
    }
    const { message } = await bootstrapError({ controllers: [Admin] });
    expect(message).toMatch(/The tool Admin\.square\(\) has pipes, but .* is a method of a controller.*provider/);
  });
});
