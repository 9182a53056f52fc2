import { Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { RunningTurns } from '../model/running-turns.js';

/** Ends what is under way when the application ends. */
@Injectable()
export class AiShutdown implements OnModuleDestroy {
  private readonly logger = new Logger('AiModule');
  readonly turns = new RunningTurns();
  #limit = 0;

  /** @param limit how long the tools that still run are waited for, in milliseconds */
  waitAtMost(limit: number): void {
    this.#limit = Math.max(this.#limit, limit);
  }

  async onModuleDestroy(): Promise<void> {
    const reason = new DOMException('The application is shutting down.', 'AbortError');
    const left = await this.turns.close(reason, this.#limit);
    if (left === 0) return;
    this.logger.warn(
      `${left} tool ${left === 1 ? 'call' : 'calls'} still ran when the application ended, after ${this.#limit} ms. Have tools listen ` +
        'to the signal of their ToolContext, or set ai.tools.shutdown-timeout.',
    );
  }
}

/** Not global, so that Nest ends it before the modules that tools depend on: global ones come last. */
@Module({ providers: [AiShutdown], exports: [AiShutdown] })
export class AiShutdownModule {}
