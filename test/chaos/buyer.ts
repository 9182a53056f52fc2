// Goes on with an approved turn, and is killed in one of its steps: node buyer.ts DIRECTORY TURN STEP KIND.
import { Logger } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { Shop } from './shop.js';

const [directory, turnId, deadly, isStreamed, isMemoryInside] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
// The output tells in which step the process has died.
Logger.overrideLogger(false);
let steps = 0;
const shop = new Shop(
  directory,
  (name) => {
    steps++;
    if (steps !== Number(deadly)) return;
    process.stdout.write(name);
    process.kill(process.pid, 'SIGKILL');
  },
  isMemoryInside === 'true',
);
const spec = shop.client.prompt().toolApprovals([{ toolCallId: 'call_pay', approved: true }], { turnId });
if (isStreamed === 'true') await lastValueFrom(spec.stream().chatResponse());
else await spec.call().content();
