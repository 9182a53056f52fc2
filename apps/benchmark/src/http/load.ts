/* Job l: a server in one process, and what asks it in another one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENT, measureInChild, readResult } from '../children.js';
import type { Load } from '../results.js';
import { chunkText, FINAL, HTTP_CHUNKS } from '../work.js';

/** In milliseconds. */
const START_LIMIT = 60_000;

/** The endpoints, and what is found in their answers. */
export const ENDPOINTS: Readonly<Record<string, string>> = {
  answer: FINAL,
  stream: `data: ${chunkText(HTTP_CHUNKS - 1)}`,
};

/** Puts the endpoints of a contestant under load, one after the other. */
export async function measureHttp(id: string): Promise<Record<string, Load>> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('./server.js', import.meta.url)), id], {
    env: { ...process.env, ...ENVIRONMENT },
    // The channel tells the server when this process is gone.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  try {
    const url = await urlOf(server);
    const loads: Record<string, Load> = {};
    for (const [endpoint, expected] of Object.entries(ENDPOINTS)) {
      loads[endpoint] = await measureInChild<Load>('../peers/load.mjs', [`${url}/${endpoint}`, expected], []);
    }
    return loads;
  } finally {
    server.kill();
  }
}

function urlOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout!.on('data', (data: Buffer) => {
      text += data.toString();
      const result = readResult<{ url: string }>(text);
      if (result) resolve(result.url);
    });
    const timer = setTimeout(
      () => reject(new Error(`The server of ${server.spawnargs.at(-1)} did not start.`)),
      START_LIMIT,
    );
    timer.unref();
    server.on('error', reject);
    server.on('close', (code) => reject(new Error(`The server ended with ${code} before it was asked.`)));
  });
}
