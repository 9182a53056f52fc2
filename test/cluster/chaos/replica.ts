/* One replica of an application whose turns survive it. */
import 'reflect-metadata';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ChatClient, ChatMemory, ToolApproval } from '@nestor-ai/core';
import { AiTurnsModule, DeferredResults, toSuspendedTurn, TurnJournal } from '@nestor-ai/turns';
import { BullAiModule } from '@nestor-ai/bullmq';
import { PostgresAiModule, PostgresDatabase } from '@nestor-ai/postgres';
import { Pool } from 'pg';
import { BankModel } from './bank-model.js';
import { BankTools, EFFECTS_POOL } from './effects.js';

const { POSTGRES_URL, REDIS_URL, PORT, SHORT } = process.env as Record<string, string | undefined>;

/** In the short form, what is lost is noticed ten times as early, so that the test takes a minute. */
const isShort = SHORT === 'true';
const SHORT_TIMES = { statement: 3000, transactionStatement: 6000, heartbeat: 1000, silence: 4000, wait: 3000 };

interface Question {
  readonly turn: number;
  readonly text: string;
  readonly conversation: string;
}

/** Every request comes from the same user. */
@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<{ user?: object }>().user = { id: 'ann' };
    return true;
  }
}

@UseGuards(UserGuard)
@Controller()
class TurnsController {
  constructor(
    private readonly client: ChatClient,
    private readonly journal: TurnJournal,
    private readonly memory: ChatMemory,
    private readonly results: DeferredResults,
  ) {}

  @Get('health')
  health(): object {
    return { isRunning: true };
  }

  /** A request that is repeated gives the same turn. */
  @Post('turns')
  @HttpCode(200)
  async ask(@Body() { turn, text, conversation }: Question, @Req() request: object): Promise<object> {
    return {
      id: await this.client
        .prompt(text)
        .conversation(conversation)
        .request(request)
        .enqueue({ jobId: `turn-${turn}` }),
    };
  }

  @Get('turns/:id')
  async find(@Param('id') id: string): Promise<object> {
    const turn = await this.journal.read(id);
    if (!turn) return { status: 'unknown', waits: [] };
    const { begun = [], pending = [] } = (turn.status === 'suspended' && toSuspendedTurn(turn)) || {};
    const waits = pending.map((call) => ({
      callId: call.id,
      kind: begun.includes(call.id) ? 'uncertain' : call.deferred ? 'result' : 'approval',
    }));
    return { status: turn.status, waits };
  }

  @Post('turns/:id/decisions')
  @HttpCode(200)
  async decide(
    @Param('id') id: string,
    @Body() { decisions }: { decisions: ToolApproval[] },
    @Req() request: object,
  ): Promise<object> {
    const turn = await this.journal.read(id);
    // A repeated request finds that the turn goes on.
    if (turn?.status !== 'suspended') return { isLate: true };
    await this.client.prompt().toolApprovals(decisions, { turnId: id }).request(request).enqueue();
    return { isLate: false };
  }

  @Post('turns/:id/results/:callId')
  @HttpCode(200)
  async deliver(@Param('id') id: string, @Param('callId') callId: string): Promise<object> {
    return { isNew: await this.results.deliver(`${id}:${callId}`, 'delivered') };
  }

  @Get('conversations/:id')
  async conversation(@Param('id') id: string): Promise<unknown> {
    return (await this.memory.get(id)).map((message) => Reflect.get(message, 'text') as unknown);
  }
}

@Module({
  imports: [
    PostgresAiModule.forRoot({ connection: { connectionString: POSTGRES_URL!, max: 10 } }),
    BullAiModule.forRoot({
      connection: REDIS_URL!,
      ...(isShort && { sweepInterval: 3000 }),
      concurrency: 20,
      queues: { reports: 10 },
    }),
    AiModule.forRoot({
      chatModel: new BankModel(),
      providers: [...PostgresAiModule.stores(), ...BullAiModule.stores()],
      properties: {
        chat: {
          memory: { enabled: true, maxMessages: 100 },
          ...(isShort && { client: { toolCalling: { turnLease: 3000 } } }),
        },
        tools: { unguarded: 'allow' },
      },
    }),
    AiTurnsModule.forRoot({ path: 'streams', guards: [UserGuard] }),
  ],
  controllers: [TurnsController],
  providers: [
    BankTools,
    {
      provide: EFFECTS_POOL,
      useFactory: () => {
        const pool = new Pool({ connectionString: POSTGRES_URL!, max: 5 });
        pool.on('error', () => undefined);
        return pool;
      },
    },
  ],
})
class ReplicaModule {}

const application = await NestFactory.create(ReplicaModule, { logger: ['error', 'warn'] });
if (isShort) {
  const database = application.get(PostgresDatabase);
  Object.assign(database, { times: { ...database.times, ...SHORT_TIMES } });
}
await application.listen(Number(PORT), '127.0.0.1');
