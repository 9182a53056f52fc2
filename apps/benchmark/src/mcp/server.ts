/* One of the servers in a process of its own: `server.js NAME TOOLS`. Reports its address, and its CPU time when it is asked. */
import 'reflect-metadata';
import { startAlone, startInNest } from './by-hand.js';
import { start } from './nestor.js';

const STARTERS: Record<string, (tools: number) => Promise<string>> = {
  nestor: start,
  'by-hand': startInNest,
  'by-hand-alone': startAlone,
};

const [name, tools] = process.argv.slice(2) as [string, string];
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpu: user + system });
});
process.send!({ url: await STARTERS[name]!(Number(tools)) });
