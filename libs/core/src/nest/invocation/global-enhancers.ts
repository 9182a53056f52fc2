import { Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { hasScopedGlobals } from '../hosts/runnable-enhancers.js';

/** What the application runs before every handler. It may be added at any time, and must hold from then on. */
@Injectable()
export class GlobalEnhancers {
  constructor(private readonly config: ApplicationConfig) {}

  /** Changes whenever something is added. */
  get count(): number {
    return this.handlerCount + this.pipeCount;
  }

  /** The guards, interceptors and filters. */
  get handlerCount(): number {
    const { config } = this;
    return (
      config.getGlobalGuards().length +
      config.getGlobalInterceptors().length +
      config.getGlobalFilters().length +
      config.getGlobalRequestGuards().length +
      config.getGlobalRequestInterceptors().length +
      config.getGlobalRequestFilters().length
    );
  }

  /** Whether any of them is made anew for each request. */
  get areScoped(): boolean {
    return hasScopedGlobals(this.config);
  }

  get pipeCount(): number {
    return this.config.getGlobalPipes().length + this.config.getGlobalRequestPipes().length;
  }
}
