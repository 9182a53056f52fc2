/*
 * A worker that runs a turn when a message names it: `node --import ../../../apps/from-sources.mjs worker.ts schema`.
 * POSTGRES_URL is its only way to the stores; its tools write over EFFECTS_URL.
 */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ChatMemory, ConversationLog, Tool } from '@nestor-ai/core';
import { SummarizingChatMemory } from '@nestor-ai/advisors';
import { PostgresAiModule } from '@nestor-ai/postgres';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { TurnQueue, TurnRunner, TurnStreams } from '@nestor-ai/turns';
import { Pool } from 'pg';

/** Longer than any part of a turn takes, so that it need not be extended. In milliseconds. */
const LEASE = 900;

/** Looks, pays with an approval, and lets a job write the report. */
const STEPS = ['look', 'pay', 'report'] as const;
const answer: ScriptEntry = ({ messages }) => {
  const called = messages.filter(({ role }) => role === 'tool').length;
  const name = STEPS[called];
  return name ? { chunks: [`${name} `], toolCalls: [toolCall(name, {}, name)] } : { chunks: ['All ', 'done.'] };
};

/** What the tools have done, in a table that nothing of Nestor writes. */
@Injectable()
class Bank {
  readonly #effects = new Pool({ connectionString: process.env['EFFECTS_URL']!, max: 2 });

  @Tool({ description: 'Looks', replaySafe: true })
  look(): Promise<string> {
    return this.#does('look');
  }

  @Tool({ description: 'Pays', needsApproval: true })
  pay(): Promise<string> {
    return this.#does('pay');
  }

  @Tool({ description: 'Reports', replaySafe: true, job: { queue: 'reports' } })
  report(): Promise<string> {
    return this.#does('report');
  }

  async #does(what: string): Promise<string> {
    await this.#effects.query('INSERT INTO effects (what) VALUES ($1)', [what]);
    return `${what} done`;
  }
}

/** Summarizes all but the last turn, after each turn. */
@Injectable()
export class SummarizedMemory extends SummarizingChatMemory {
  /** The newest summary, until it is written. */
  writing: Promise<unknown> = Promise.resolve();

  constructor(log: ConversationLog) {
    super({
      log,
      model: new ScriptedChatModel(() => 'Summed up.'),
      at: 10,
      keepTurns: 1,
      summaryTokens: 5,
      maxTokens: 1000,
    });
  }

  override summarizeNow(conversationId: string): Promise<boolean> {
    const writing = super.summarizeNow(conversationId);
    this.writing = writing.catch(() => undefined);
    return writing;
  }
}

/** Keeps nothing. The test reads in the journal which turn is next. */
@Injectable()
class NoQueue extends TurnQueue {
  add(): void {}
}

@Module({ providers: [Bank], exports: [Bank] })
class BankModule {}

/** Starts a worker. @param url the server with the stores */
export async function startWorker(url: string, schema: string) {
  const app = await NestFactory.createApplicationContext(
    {
      module: class WorkerModule {},
      imports: [
        BankModule,
        PostgresAiModule.forRoot({ connection: { connectionString: url }, schema, migrate: 'off' }),
        AiModule.forRoot({
          chatModel: new ScriptedChatModel(Array.from({ length: 20_000 }, () => answer)),
          memory: true,
          properties: { chat: { client: { toolCalling: { turnLease: LEASE } } } },
          providers: [
            ...PostgresAiModule.stores(),
            { provide: TurnQueue, useClass: NoQueue },
            { provide: ChatMemory, useClass: SummarizedMemory },
          ],
        }),
      ],
    },
    { logger: false },
  );
  const [runner, streams, memory] = [app.get(TurnRunner), app.get(TurnStreams), app.get<SummarizedMemory>(ChatMemory)];
  /** Runs the next part of a turn, whichever queue it waits in, and what it makes of the conversation. */
  const run = async (turnId: string): Promise<void> => {
    let prepared = await runner.prepare(turnId);
    if (prepared.next === 'elsewhere') prepared = await runner.prepare(turnId, { queue: prepared.queue });
    if (prepared.next !== 'run') return;
    try {
      await streams.record(prepared.turn, prepared.request);
    } finally {
      await memory.writing;
    }
  };
  return { app, streams, run };
}

if (process.send) {
  const { run } = await startWorker(process.env['POSTGRES_URL']!, process.argv[2]!);
  process.on('message', (turnId: string) => {
    run(turnId).then(
      () => process.send!('done'),
      () => process.send!('done'),
    );
  });
  process.send('ready');
}
