/* Job j: what guards and validation add to a turn with one tool call. */
import 'reflect-metadata';
import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Tool, ToolParam } from '@nestor-ai/core';
import { IsIn, IsOptional, IsString } from 'class-validator';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import { clientOf } from '../contestants/nestor.js';
import { TurnModel } from '../contestants/nestor-models.js';
import { timeOf } from '../measure.js';
import { catalogueOf, FINAL, ONE_CALL, QUESTION, TOOL, weatherAfter } from '../work.js';

const { schema } = catalogueOf<z.ZodType>(1, z)[0]!;
const weather = weatherAfter(0);
const description = 'Get the weather of a city';

class Pass implements CanActivate, NestInterceptor {
  canActivate(_context: ExecutionContext): boolean {
    return true;
  }
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}

class CityInput {
  @ToolParam({ description: 'The city' }) @IsString() city!: string;
  @ToolParam({ description: 'The unit' }) @IsOptional() @IsIn(['c', 'f']) unit?: 'c' | 'f';
}

@Injectable()
class Parameters {
  @Tool({ name: TOOL, description })
  run(@ToolParam({ description: 'The city' }) city: string) {
    return weather({ city });
  }
}

@Injectable()
class Zod {
  @Tool({ name: TOOL, description, inputSchema: schema as never })
  run(input: { city: string }) {
    return weather(input);
  }
}

@Injectable()
class Dto {
  @Tool({ name: TOOL, description })
  run(input: CityInput) {
    return weather(input);
  }
}

@Injectable()
class Unchecked {
  @Tool({ name: TOOL, description, inputSchema: { type: 'object' } })
  run(input: { city: string }) {
    return weather(input);
  }
}

@Injectable()
class Guarded {
  @UseGuards(Pass)
  @Tool({ name: TOOL, description, inputSchema: schema as never })
  run(input: { city: string }) {
    return weather(input);
  }
}

@Injectable()
class Intercepted {
  @UseGuards(Pass)
  @UseInterceptors(Pass)
  @Tool({ name: TOOL, description, inputSchema: schema as never })
  run(input: { city: string }) {
    return weather(input);
  }
}

/** From the least to the most that stands before the method. */
const TOOLS: Readonly<Record<string, new () => object>> = {
  'no schema': Unchecked,
  'parameters by type': Parameters,
  Zod,
  'class-validator': Dto,
  'Zod, guard': Guarded,
  'Zod, guard, interceptor': Intercepted,
};

export const ENHANCERS: readonly string[] = Object.keys(TOOLS);

/** Microseconds a turn, by what stands before the method. */
export type Enhancers = Readonly<Record<string, number>>;

export async function measureEnhancers(name: string): Promise<Enhancers> {
  const client = await clientOf(new TurnModel(ONE_CALL), TOOLS[name]!);
  return { [name]: await timeOf(() => client.prompt(QUESTION).call().content(), FINAL) };
}
