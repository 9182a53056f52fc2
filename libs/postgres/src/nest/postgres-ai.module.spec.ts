import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, ConversationLog } from '@nestor-ai/core';
import { AiAuditModule, ToolAuditSink } from '@nestor-ai/audit';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { openTestDatabase, TEST_POSTGRES, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresToolAuditSink } from '../audit/postgres-tool-audit.sink.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresConversationLog } from '../memory/postgres-conversation-log.js';
import { PostgresAiModule } from './postgres-ai.module.js';
import type { PostgresAiModuleOptions } from './postgres-ai.options.js';

describe('PostgresAiModule', () => {
  let test: TestDatabase;

  beforeAll(async () => void (test = await openTestDatabase({ migrate: false })));
  afterAll(() => test.close());

  const applicationOf = async (
    options: PostgresAiModuleOptions,
    configuration: object = {},
    answers: string[] = [],
  ) => {
    const chatModel = new ScriptedChatModel(answers);
    const audit = { provide: ToolAuditSink, useExisting: PostgresToolAuditSink };
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot({ ignoreEnvFile: true, ignoreEnvVars: true, isGlobal: true, load: [() => configuration] }),
        PostgresAiModule.forRoot(options),
        AiModule.forRoot({ chatModel, memory: true, providers: PostgresAiModule.stores() }),
        AiAuditModule.forRoot({ providers: [audit] }),
      ],
    }).compile();
    return { app: await module.createNestApplication().init(), chatModel };
  };

  it('keeps a conversation after a restart, and leaves the pool of the application open', async () => {
    const options = { pool: test.pool, schema: test.schema };
    const first = await applicationOf(options, {}, ['Hello Ann.']);
    expect(await first.app.get(ChatClient).prompt('I am Ann.').conversation('c').call().content()).toBe('Hello Ann.');
    expect(first.app.get(ConversationLog)).toBeInstanceOf(PostgresConversationLog);
    await first.app.close();
    const second = await applicationOf({ ...options, migrate: 'check' }, {}, ['You are Ann.']);
    await second.app.get(ChatClient).prompt('Who am I?').conversation('c').call().content();
    expect(second.chatModel.prompts[0]!.messages.map((message) => 'text' in message && message.text)).toEqual([
      'I am Ann.',
      'Hello Ann.',
      'Who am I?',
    ]);
    await second.app.close();
    expect((await test.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('warns of a pool that is too small for conversations', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const pool = Object.create(test.pool, { options: { value: { max: 2 } } }) as typeof test.pool;
    const { app } = await applicationOf({ pool, schema: test.schema });
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^The pool has at most 2 connections\. .* Set max to 10/));
    warn.mockRestore();
    await app.close();
  });

  it('closes the pool that it has opened, after the turns have ended', async () => {
    if (!test.isServer) return;
    const { app } = await applicationOf({ connection: TEST_POSTGRES, schema: test.schema });
    const database = app.get(PostgresDatabase);
    expect(await database.query('ask', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await app.close();
    await expect(database.query('ask', 'SELECT 1')).rejects.toThrow(
      'Nestor could not ask: the connection pool is closed.',
    );
  });

  it('reads ai.postgres.*, which take precedence over the options', async () => {
    const { app } = await applicationOf(
      { pool: test.pool, schema: 'other', migrate: 'off' },
      { ai: { postgres: { schema: 'from-properties' } } },
    );
    expect(app.get(PostgresDatabase).table('x')).toBe('"from-properties"."x"');
    await app.close();
  });

  it.each<[string, PostgresAiModuleOptions, object, RegExp]>([
    [
      'an unknown option',
      { shema: 'a' } as object,
      {},
      /has no option 'shema'. Known: connection, pool, schema, migrate, eventRetention/,
    ],
    ['an unknown property', {}, { schem: 'a' }, /ai\.postgres\.schem/],
    [
      'a word that is no choice',
      {},
      { migrate: 'yes' },
      /ai\.postgres\.migrate is 'yes', but has to be apply or check or off/,
    ],
    [
      'an address of something else',
      {},
      { connection: 'mysql://u:secret@h/d' },
      /ai\.postgres\.connection has a value that is not allowed/,
    ],
    ['no pool', { pool: {} as never }, {}, /The option pool of PostgresAiModule is no pool/],
    ['a pool and a connection', { connection: 'postgres://h/d' }, {}, /has a pool and a connection/],
  ])('does not start with %s, and does not show secrets', async (title, options, postgres, message) => {
    const given = title === 'a pool and a connection' ? { ...options, pool: test.pool } : options;
    const failed = applicationOf(given, { ai: { postgres } });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow(/secret/);
  });

  it('does not start when the schema is older than the code', async () => {
    const failed = applicationOf({ pool: test.pool, schema: `${test.schema}_none`, migrate: 'check' });
    await expect(failed).rejects.toThrow(/lacks the migrations 1 \(conversations\)/);
  });

  it('does not start without a server, and says so', async () => {
    const failed = applicationOf({ connection: 'postgres://user:secret@127.0.0.1:1/test' });
    await expect(failed).rejects.toThrow(
      /Nestor could not check the version of its schema: the server does not accept connections/,
    );
  });
});
