/* A process with one contestant. It stays for all sets, so that its code is compiled: `child.js MODULE EXPORT`. */
import { load } from './load.js';
import type { RecordedTurns, Setting } from './recorded-turns.js';

/** What the parent asks for: one set. */
export interface SetRequest {
  readonly setting: Setting;
  readonly milliseconds: number;
}

const [module = '', name = ''] = process.argv.slice(2);
const contestant = ((await import(module)) as Record<string, RecordedTurns>)[name]!;

process.on('message', ({ setting, milliseconds }: SetRequest) => {
  void measure(setting, milliseconds).then(
    (result) => process.send!({ result }),
    (error: unknown) => process.send!({ error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.send!({ version: contestant.version });

async function measure(setting: Setting, milliseconds: number): Promise<object> {
  const opened = await contestant.open(setting);
  try {
    return await load(opened, contestant.statements, milliseconds);
  } finally {
    await opened.close();
  }
}
