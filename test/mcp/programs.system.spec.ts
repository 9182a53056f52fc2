import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { clientApplication, closeApplications, fixture, textOf } from './fixtures/client-application.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await closeApplications();
});

describe('a server over stdio', () => {
  const stdio = { name: 'local', command: process.execPath, args: [fixture('stdio-server.mjs')] };

  it('runs without the environment and the stderr of the application', async () => {
    process.env['SECRET_OF_THE_APPLICATION'] = 's3cret';
    const written = jest.spyOn(process.stderr, 'write');
    const { sessions } = await clientApplication([{ ...stdio, env: { REGION: 'eu' } }]);
    const session = await sessions.session('local', {});
    const text = textOf(await session.client.callTool({ name: 'environment', arguments: {} }));
    expect(text).toContain('"REGION":"eu"');
    expect(text).not.toContain('s3cret');
    expect(written.mock.calls.join()).not.toContain('the secret of the program');
    delete process.env['SECRET_OF_THE_APPLICATION'];
  });

  it('does not outlive the application', async () => {
    const application = await clientApplication([stdio]);
    const session = await application.sessions.session('local', {});
    const pid = Number(textOf(await session.client.callTool({ name: 'pid', arguments: {} })));
    const waiting = session.client.callTool({ name: 'wait', arguments: {} });
    waiting.catch(() => {});
    await application.close();
    await expect(waiting).rejects.toThrow();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  describe('that never answers', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
    const file = join(folder, 'pids');
    const script = `require('fs').appendFileSync(${JSON.stringify(file)}, process.pid + ' '); setInterval(() => {}, 1000)`;
    const silent = { name: 'silent', command: process.execPath, args: ['-e', script] };
    const started = (): number[] => readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);

    beforeEach(() => writeFileSync(file, ''));
    afterAll(() => rmSync(folder, { recursive: true }));

    it('does not outlive the application that stops while it connects', async () => {
      const application = await clientApplication([silent]);
      const connecting = application.sessions.session('silent', {});
      connecting.catch(() => {});
      while (started().length === 0) await setImmediate();
      await application.close();
      await expect(connecting).rejects.toThrow("The MCP server 'silent'");
      for (const pid of started()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });

    it('is not started by an application that stops before', async () => {
      const application = await clientApplication([silent]);
      const connecting = application.sessions.session('silent', {});
      connecting.catch(() => {});
      await Promise.resolve();
      await application.close();
      await expect(connecting).rejects.toThrow("The MCP server 'silent'");
      expect(started()).toEqual([]);
    });
  });

  it('that does not exist, or is no MCP server, is named with the remedy', async () => {
    const { sessions } = await clientApplication([
      { name: 'missing', command: '/no/such/program' },
      { name: 'silent', command: process.execPath, args: ['-e', 'process.exit(3)'] },
    ]);
    await expect(sessions.session('missing', {})).rejects.toThrow(
      "The MCP server 'missing' cannot be started (ENOENT). Check its command and its working directory.",
    );
    await expect(sessions.session('silent', {})).rejects.toThrow("The MCP server 'silent' ended before it answered");
  });
});
