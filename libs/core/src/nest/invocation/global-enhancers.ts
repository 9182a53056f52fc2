import { Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import type { EnhancerKind } from '../../tool/declaration/enhancers.js';
import { AiExceptionFilter } from '../filters/ai-exception.filter.js';
import { hasScopedGlobals } from '../hosts/runnable-enhancers.js';

/**
 * The key that marks a global guard as the guard of one HTTP endpoint, with the value `true`.
 *
 * A library adds such a guard to `ApplicationConfig` to run it before all other guards of its
 * endpoint. It is not a guard of the application, so it says nothing about who may call tools.
 */
export const ENDPOINT_GUARD: unique symbol = Symbol.for('nestor.endpoint-guard') as never;

/** Whether an enhancer has something to do with tool calls: endpoint guards and `AiExceptionFilter` have not. */
function concernsTools(enhancer: object): boolean {
  return !(ENDPOINT_GUARD in enhancer) && enhancer.constructor !== AiExceptionFilter;
}

/**
 * The global enhancers of the application. They can be added at any time and apply from then on.
 */
@Injectable()
export class GlobalEnhancers {
  constructor(private readonly config: ApplicationConfig) {}

  /** Changes whenever an enhancer is added. */
  get count(): number {
    return this.countOf('guards') + this.countOf('interceptors') + this.countOf('filters') + this.countOf('pipes');
  }

  /** The filters: instances, or the classes of request-scoped ones. */
  get filters(): readonly unknown[] {
    const scoped = this.config.getGlobalRequestFilters().map(({ metatype }) => metatype);
    return [...this.config.getGlobalFilters().filter(concernsTools), ...scoped];
  }

  countOf(kind: EnhancerKind): number {
    const { config } = this;
    switch (kind) {
      case 'guards':
        return countForTools(config.getGlobalGuards()) + config.getGlobalRequestGuards().length;
      case 'interceptors':
        return config.getGlobalInterceptors().length + config.getGlobalRequestInterceptors().length;
      case 'filters':
        return countForTools(config.getGlobalFilters()) + config.getGlobalRequestFilters().length;
      case 'pipes':
        return config.getGlobalPipes().length + config.getGlobalRequestPipes().length;
    }
  }

  /** Whether any of them is request-scoped or transient. */
  get areScoped(): boolean {
    return hasScopedGlobals(this.config);
  }
}

/** Called for each tool call, so it makes no list. */
function countForTools(enhancers: readonly object[]): number {
  let count = 0;
  for (let at = 0; at < enhancers.length; at++) if (concernsTools(enhancers[at]!)) count++;
  return count;
}
