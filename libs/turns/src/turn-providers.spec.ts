import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type DynamicModule,
  Inject,
  Injectable,
  Logger,
  Module,
  Optional,
  type Provider,
  Scope,
  type Type,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiExtension, AiModule, ChatClient, type ChatModel, SuspendedTurnRepository } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { AiTurnsModule } from './ai-turns.module.js';
import { DeferredResults } from './deferred-results.js';
import { InMemoryTurnJournal } from './journal/in-memory-turn-journal.js';
import { TurnJournal } from './journal/turn-journal.js';
import { TurnQueue } from './queue/turn-queue.js';
import { TurnRunner } from './queue/turn-runner.js';
import { InMemoryTurnEventLog } from './streams/in-memory-turn-event-log.js';
import { TurnEventLog } from './streams/turn-event-log.js';
import { TurnStreams } from './streams/turn-streams.js';

@Injectable()
class Queue extends TurnQueue {
  readonly added: string[] = [];

  constructor(@Optional() @Inject(TurnRunner) readonly runner: TurnRunner) {
    super();
  }

  override add(turnId: string) {
    this.added.push(turnId);
  }
}

const TURNS = AiTurnsModule.providers();
const JOURNAL = { provide: SuspendedTurnRepository, useClass: InMemoryTurnJournal };
const QUEUE = { provide: TurnQueue, useClass: Queue };
const LOG = { provide: TurnEventLog, useClass: InMemoryTurnEventLog };
const model = (): ChatModel => new ScriptedChatModel(['Hello.']);
const aiModule = (providers: Provider[], extras: object = {}): DynamicModule =>
  AiModule.forRoot({ chatModel: model(), providers, ...extras });

async function start(...imports: (DynamicModule | Type)[]) {
  const application = await Test.createTestingModule({ imports }).compile();
  return application.init();
}

const enqueue = (client: ChatClient) => client.prompt('Hi').enqueue();

describe('AiTurnsModule.providers()', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  afterEach(() => void warn.mockClear());

  it.each<[string, Provider[]]>([
    ['after them', [...TURNS, JOURNAL, QUEUE, LOG]],
    ['before them', [JOURNAL, QUEUE, LOG, ...TURNS]],
    ['between two lists of them', [...TURNS, QUEUE, LOG, ...TURNS, JOURNAL]],
  ])('let enqueue() use the journal and the queue that stand %s', async (_where, providers) => {
    const application = await start(aiModule(providers));
    const id = await enqueue(application.get(ChatClient));
    expect(application.get<Queue>(TurnQueue).added).toEqual([id]);
    expect(await application.get(TurnJournal).read(id)).toMatchObject({ status: 'queued', client: 'default' });
    expect(await application.get(TurnRunner).prepare(id)).toMatchObject({ next: 'run' });
    expect(application.get(TurnStreams).isEnabled).toBe(true);
  });

  it('can be injected in all modules', async () => {
    @Injectable()
    class Workers {
      constructor(
        readonly runner: TurnRunner,
        readonly streams: TurnStreams,
        readonly results: DeferredResults,
        readonly journal: TurnJournal,
      ) {}
    }
    @Module({ providers: [Workers] })
    class WorkersModule {}
    const application = await start(aiModule([...TURNS, JOURNAL]), WorkersModule);
    expect(application.get(Workers).journal).toBe(application.get(SuspendedTurnRepository));
  });

  it('keep several AiModules apart, and one without stores has none', async () => {
    const of = (journal: TurnJournal) => ({ provide: SuspendedTurnRepository, useValue: journal });
    const [first, second] = [new InMemoryTurnJournal(), new InMemoryTurnJournal()];
    @Module({ imports: [aiModule([...TURNS, QUEUE, of(first)], { isGlobal: false })] })
    class One {
      constructor(readonly client: ChatClient) {}
    }
    @Module({ imports: [aiModule([...TURNS, QUEUE, of(second)], { isGlobal: false })] })
    class Other {
      constructor(readonly client: ChatClient) {}
    }
    @Module({ imports: [aiModule([], { isGlobal: false })] })
    class Bare {
      constructor(readonly client: ChatClient) {}
    }
    const application = await start(One, Other, Bare);
    const id = await enqueue(application.get(One).client);
    expect([first.read(id)?.status, second.read(id)?.status]).toEqual(['queued', undefined]);
    const other = await enqueue(application.get(Other).client);
    expect([first.read(other)?.status, second.read(other)?.status]).toEqual([undefined, 'queued']);
    await expect(enqueue(application.get(Bare).client)).rejects.toThrow('enqueue() needs a TurnJournal');
  });

  it('are replaced by providers of the same token, before and after them', async () => {
    class OwnRunner extends TurnRunner {}
    const own = { provide: TurnRunner, useClass: OwnRunner };
    for (const providers of [
      [own, ...TURNS, LOG, JOURNAL],
      [...TURNS, own, LOG, JOURNAL, ...TURNS],
    ]) {
      const application = await start(aiModule(providers));
      expect(application.get(TurnRunner)).toBeInstanceOf(OwnRunner);
      expect(application.get(TurnStreams).isEnabled).toBe(true);
    }
    const withoutLog = await start(aiModule([...TURNS, LOG, JOURNAL, { provide: TurnEventLog, useValue: undefined }]));
    expect(withoutLog.get(TurnStreams).isEnabled).toBe(false);
  });

  it('leave room for an AiExtension of the application', async () => {
    const checked: string[] = [];
    class Own extends AiExtension {
      override check() {
        checked.push('own');
        return [];
      }
    }
    const application = await start(aiModule([{ provide: AiExtension, useClass: Own }, ...TURNS, JOURNAL, QUEUE]));
    await enqueue(application.get(ChatClient));
    expect(checked).toEqual(['own']);
  });

  it('are not added by a subclass of AiModule that does not export them', async () => {
    class OwnAiModule extends AiModule {
      static override forRoot(options: object): DynamicModule {
        const definition = AiModule.forRoot(options);
        return { ...definition, module: OwnAiModule, providers: [...definition.providers!, ...TURNS, JOURNAL] };
      }
    }
    await expect(start(OwnAiModule.forRoot({ chatModel: model() }))).rejects.toThrow(
      'Other modules need what a subclass of AiModule adds: TurnJournal, TurnStreams, TurnRunner',
    );
  });

  it.each([QUEUE, LOG, { provide: TurnJournal, useClass: InMemoryTurnJournal }])(
    'are needed by a store, which does nothing alone: %o',
    async (store) => {
      await expect(start(aiModule([store as Provider]))).rejects.toThrow(
        `The ${store.provide.name} given to AiModule does nothing alone. Add the providers of its package:`,
      );
    },
  );

  it.each<[string, Provider[]]>([
    ['no journal', [...TURNS, QUEUE]],
    ['no queue', [...TURNS, JOURNAL]],
    ['neither of them', []],
  ])('are not enough for enqueue() if there is %s', async (_what, providers) => {
    const application = await start(aiModule(providers));
    await expect(enqueue(application.get(ChatClient))).rejects.toThrow(
      'enqueue() needs a TurnJournal and a TurnQueue. Give the stores() of PostgresAiModule and BullAiModule to AiModule,',
    );
  });

  it.each<[string, SuspendedTurnRepository]>([
    ['that does not record all turns', Object.assign(new InMemoryTurnJournal(), { recordsAll: false })],
    ['that only says so', { recordsAll: true } as unknown as SuspendedTurnRepository],
  ])('take no repository for a journal %s', (_what, repository) => {
    expect(TurnJournal.of(repository)).toBeUndefined();
  });

  it('do not start with a journal that would record nothing', async () => {
    const starting = start(aiModule([...TURNS, { provide: TurnJournal, useClass: InMemoryTurnJournal }]));
    await expect(starting).rejects.toThrow(
      'The TurnJournal in AiModule would record nothing, since its SuspendedTurnRepository is another object.',
    );
  });

  it('do not start with a journal that a test overrides apart from the repository', async () => {
    const testing = Test.createTestingModule({ imports: [aiModule([...TURNS, JOURNAL])] });
    const application = await testing.overrideProvider(TurnJournal).useValue(new InMemoryTurnJournal()).compile();
    await expect(application.init()).rejects.toThrow('The TurnJournal in AiModule would record nothing');
  });

  it.each([QUEUE, LOG])('do not start with a store of a single request: %o', async (store) => {
    const scoped = { ...store, scope: Scope.REQUEST } as Provider;
    const starting = start(aiModule([...TURNS, JOURNAL, scoped]));
    await expect(starting).rejects.toThrow(
      `The ${store.provide.name} given to AiModule is request-scoped or transient`,
    );
  });

  it('warn of a store in another module', async () => {
    @Module({ providers: [LOG] })
    class LogModule {}
    await start(aiModule([...TURNS, JOURNAL]), LogModule);
    expect(warn.mock.calls.flat().join()).toContain(
      'TurnEventLog is provided in LogModule, where AiModule does not use',
    );
  });

  it('get no mocks of a test kit for stores that the application does not have', async () => {
    const testing = Test.createTestingModule({ imports: [aiModule([...TURNS, JOURNAL])] });
    const application = await testing.useMocker(() => ({})).compile();
    await application.init();
    expect(application.get(TurnStreams).isEnabled).toBe(false);
    await expect(enqueue(application.get(ChatClient))).rejects.toThrow(
      'enqueue() needs a TurnJournal and a TurnQueue.',
    );
  });
});
