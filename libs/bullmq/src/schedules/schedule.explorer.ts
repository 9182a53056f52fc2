import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { ChatClientRequestSpec } from '@nestor-ai/core';
import { SCHEDULED_TURN, type ScheduledTurnOptions, type ScheduledTurnTick } from './scheduled-turn.decorator.js';

/** A method with `@ScheduledTurn()`. */
export interface Schedule {
  readonly name: string;
  /** The class and the method, for messages. */
  readonly place: string;
  readonly options: ScheduledTurnOptions;
  /** The class. It may be a provider of several modules. */
  readonly type: object;
  run(tick: ScheduledTurnTick): Promise<ChatClientRequestSpec | undefined>;
}

/** Finds the scheduled turns of the application. */
@Injectable()
export class ScheduleExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws Error that names all mistakes */
  explore(): readonly Schedule[] {
    const schedules: Schedule[] = [];
    const problems: string[] = [];
    for (const wrapper of this.discovery.getProviders()) {
      const { metatype, instance } = wrapper as { metatype: unknown; instance: unknown };
      if (typeof metatype !== 'function' || typeof metatype.prototype !== 'object' || !metatype.prototype) continue;
      for (const key of this.scanner.getAllMethodNames(metatype.prototype as object)) {
        const method = (metatype.prototype as Record<string, unknown>)[key];
        const options = Reflect.getMetadata(SCHEDULED_TURN, method as object) as ScheduledTurnOptions | undefined;
        if (!options) continue;
        const place: string = `${metatype.name}.${key}`;
        const name = options.name ?? place;
        const schedule: Schedule = { name, place, options, type: metatype, run: runOf(instance, key, place) };
        const known = schedules.find((other) => other.name === name);
        if (known?.type === metatype && known.place === place) continue;
        const problem = wrapper.isDependencyTreeStatic()
          ? problemOf(schedule, known)
          : `${place}: a request-scoped provider cannot have @ScheduledTurn(), since there is no request.`;
        if (problem) problems.push(problem);
        else schedules.push(schedule);
      }
    }
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return schedules;
  }
}

function problemOf({ name, place, options }: Schedule, other: Schedule | undefined): string | undefined {
  const { pattern, every } = options;
  if (other) return `${place}: ${other.place} has the same name '${name}'. Set another one: @ScheduledTurn({ name }).`;
  if (name === '' || name.includes(':')) return `${place}: the name of a schedule cannot be empty or contain a colon.`;
  if ((pattern === undefined) === (every === undefined))
    return `${place}: set either the pattern or every of @ScheduledTurn().`;
  if (every !== undefined && !(Number.isInteger(every) && every > 0))
    return `${place}: every must be a number of milliseconds greater than 0, but is ${String(every)}.`;
  return undefined;
}

function runOf(instance: unknown, key: string, place: string): Schedule['run'] {
  return async (tick) => {
    const method = (instance as Record<string, (tick: ScheduledTurnTick) => unknown>)[key]!;
    const request = (await method.call(instance, tick)) as ChatClientRequestSpec | undefined;
    if (request === undefined || typeof (request as Partial<ChatClientRequestSpec>).enqueue === 'function')
      return request;
    throw new TypeError(
      `${place} must return a request to queue, such as chatClient.prompt('…'), without call() or stream().`,
    );
  };
}
