import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { types } from 'node:util';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { Observable, tap } from 'rxjs';
import { AiProperties } from '../properties/ai-properties.js';

/**
 * Knows the HTTP request that is being handled, if `ai.tools.find-request` is true. Chat requests
 * without `.request()` use it.
 */
@Injectable()
export class CurrentRequest implements NestInterceptor {
  readonly #storage: AsyncLocalStorage<unknown> | undefined;

  constructor({ tools }: AiProperties, applicationConfig: ApplicationConfig) {
    if (!tools.findRequest) return;
    this.#storage = new AsyncLocalStorage();
    applicationConfig.addGlobalInterceptor(this);
  }

  /** Undefined outside HTTP handlers, and if the property is false. */
  get(): unknown {
    return this.#storage?.getStore();
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    if (request === undefined) return next.handle();
    // Nest binds the handler to the asynchronous context in which handle() is called, but not what it returns.
    const handle = (): Observable<unknown> => next.handle().pipe(tap(bindGenerator));
    return new Observable((output) => this.#storage!.run(request, () => handle().subscribe(output)));
  }
}

/** Makes the code of a generator run in this asynchronous context, whoever reads it. */
function bindGenerator(returned: unknown): void {
  if (!types.isGeneratorObject(returned)) return;
  for (const step of ['next', 'return', 'throw'] as const)
    returned[step] = AsyncResource.bind(returned[step].bind(returned)) as never;
}

/** A GraphQL resolver has the HTTP request in its context, the third argument. */
function requestOf(context: ExecutionContext): unknown {
  switch (context.getType<string>()) {
    case 'http':
      return context.switchToHttp().getRequest<unknown>();
    case 'graphql':
      return context.getArgByIndex<{ req?: unknown } | undefined>(2)?.req;
    default:
      return undefined;
  }
}
