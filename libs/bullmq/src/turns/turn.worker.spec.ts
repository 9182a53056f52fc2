import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, Tool, SuspendedTurnRepository } from '@nestor-ai/core';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { BullAiModule } from '../nest/bull-ai.module.js';

@Injectable()
class Reports {
  @Tool({ description: 'Writes a report', job: { queue: 'reports' } })
  write(): string {
    return 'written';
  }
}

const applications: INestApplicationContext[] = [];
afterEach(async () => {
  for (const application of applications.splice(0)) await application.close();
});

async function start(metadata: ModuleMetadata): Promise<void> {
  const application = await Test.createTestingModule(metadata).compile();
  applications.push(application);
  await application.init();
}

/** Nothing listens there: these applications stop before they need Redis. */
const connection = 'redis://127.0.0.1:1';

describe('an application does not start', () => {
  it('without AiModule', async () => {
    await expect(start({ imports: [BullAiModule.forRoot({ connection })] })).rejects.toThrow(
      'BullAiModule needs AiModule',
    );
  });

  it.each<[string, ModuleMetadata['providers'], string]>([
    ['has another name', [Reports], 'repots. Tools of this application have: reports.'],
    ['does not exist', [], 'repots. Tools of this application have: none.'],
  ])('with the jobs of a queue that %s', async (_what, providers = [], names) => {
    const chatModel = new ScriptedChatModel([]);
    const stores = [{ provide: SuspendedTurnRepository, useClass: InMemoryTurnJournal }, ...BullAiModule.stores()];
    const imports = [
      BullAiModule.forRoot({ connection, queues: { repots: 2 } }),
      AiModule.forRoot({ chatModel, providers: stores }),
    ];
    await expect(start({ imports, providers })).rejects.toThrow(`names queues that no tool has: ${names}`);
  });
});
