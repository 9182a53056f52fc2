import { describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { AiToolExecutionContext, Tool, ToolContext, ToolParam } from '@nestor-ai/core';
import { IsString } from 'class-validator';
import { callOf, resultOf, startApplication } from './application.js';

class Place {
  @IsString() city!: string;
}

/** Writes a name as it is written in the atlas. */
@Injectable()
class Atlas implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const call = AiToolExecutionContext.of(context);
    const [first] = call.args as [string | Place];
    if (typeof first === 'string') call.args[0] = first.toUpperCase();
    else call.args[0] = Object.assign(new Place(), { city: first.city.toUpperCase() });
    return next.handle();
  }
}

let told = '';
function messageOf(replace: () => unknown): void {
  try {
    replace();
  } catch (error) {
    told = (error as Error).message;
  }
}

class ReplacesContext implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    messageOf(() => (AiToolExecutionContext.of(context).args[1] = new ToolContext({ tenant: 'other' })));
    return next.handle();
  }
}

class ReplacingGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    messageOf(() => (AiToolExecutionContext.of(context).args[0] = 'elsewhere'));
    return true;
  }
}

@Injectable()
class Weather {
  @Tool() @UseInterceptors(Atlas) ofName(@ToolParam({ name: 'city' }) city: string) {
    return city;
  }

  @Tool() @UseInterceptors(Atlas) ofPlace(place: Place) {
    return place.city;
  }

  @Tool() @UseInterceptors(ReplacesContext) ofTenant(city: string, context: ToolContext) {
    return `${city} of ${context.get<string>('tenant')}`;
  }

  @Tool() @UseGuards(ReplacingGuard) guarded(city: string) {
    return city;
  }
}

describe('an interceptor that replaces an argument', () => {
  it.each(['ofName', 'ofPlace'])('has the method called with it: %s', async (name) => {
    const scene = await startApplication({ providers: [Weather] }, callOf(name, { city: 'rome' }));
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('ROME');
  });

  it.each([
    ['ofTenant', /Argument 1 of the tool 'ofTenant' does not come from the model.*toolContext\(/s],
    ['guarded', /A guard cannot replace the arguments of the tool 'guarded'.*interceptor or a pipe/s],
  ])('is told what cannot be replaced, and how else: %s', async (name, message) => {
    const scene = await startApplication({ providers: [Weather] }, callOf(name, { city: 'rome' }));
    await scene.client.prompt('Go').toolContext({ tenant: 'own' }).call().content();
    expect(told).toMatch(message);
    expect(resultOf(scene)).toMatch(/^rome/);
    expect(resultOf(scene)).not.toMatch(/elsewhere|other/);
  });
});
