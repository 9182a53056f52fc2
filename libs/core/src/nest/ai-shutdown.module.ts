import { Injectable, Logger, Module, type OnModuleDestroy, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RunningTurns } from '../model/running-turns.js';
import { ClosingConnections } from './closing-connections.js';

/** How long an application waits when it ends, in milliseconds. */
export interface ShutdownTimes {
  /** For turns to end by themselves. */
  readonly drain: number;
  /** For tools that still run when their turns have been aborted. */
  readonly tools: number;
}

/** Ends what is under way when the application ends. */
@Injectable()
export class AiShutdown implements OnModuleDestroy {
  private readonly logger = new Logger('AiModule');
  readonly turns = new RunningTurns();
  #times: ShutdownTimes = { drain: 0, tools: 0 };

  constructor(@Optional() private readonly adapterHost?: HttpAdapterHost) {}

  /** Of several times, the longest counts. */
  waitAtMost({ drain, tools }: ShutdownTimes): void {
    this.#times = { drain: Math.max(this.#times.drain, drain), tools: Math.max(this.#times.tools, tools) };
  }

  /**
   * Nest closes the HTTP server after this hook, and waits for its connections then:
   *
   * 1. New requests are refused, and turns that run may end by themselves.
   * 2. Turns that still run are aborted, and their tools are waited for.
   * 3. The responses of their callers are sent, and their connections closed.
   */
  async onModuleDestroy(): Promise<void> {
    const connections = new ClosingConnections(this.adapterHost?.httpAdapter?.getHttpServer());
    connections.announce();
    const hasTurns = !this.turns.areIdle;
    await this.#drain();
    await this.#abort();
    connections.closeWhenIdle();
    if (hasTurns) await connections.flush();
  }

  async #drain(): Promise<void> {
    const { drain } = this.#times;
    const left = await this.turns.drain(drain);
    if (left === 0 || drain === 0) return;
    const subject = left === 1 ? 'A turn still ran' : `${left} turns still ran`;
    this.logger.warn(
      `${subject} when the application ended, and ${left === 1 ? 'is' : 'are'} aborted after ${drain} ms. To give turns more time, set ` +
        'ai.shutdown.drain-timeout.',
    );
  }

  async #abort(): Promise<void> {
    const { tools } = this.#times;
    const left = await this.turns.close(tools);
    if (left === 0) return;
    this.logger.warn(
      `${left} tool ${left === 1 ? 'call' : 'calls'} still ran when the application ended, after ${tools} ms. Have tools listen ` +
        'to the signal of their ToolContext, or set ai.tools.shutdown-timeout.',
    );
  }
}

/** Not global, so that Nest ends it before the modules that tools depend on: global ones come last. */
@Module({ providers: [AiShutdown], exports: [AiShutdown] })
export class AiShutdownModule {}
