import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { McpHealthIndicator } from '@nestor-ai/mcp';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { clientApplication, closeApplications, fixture, textOf } from './fixtures/client-application.js';
import { HttpServer } from './fixtures/http-server.js';
import { inProcessServer } from './fixtures/in-process-server.js';

const cancel = () => Promise.resolve({ action: 'cancel' as const });

type Application = Awaited<ReturnType<typeof clientApplication>>;

const terminus = { imports: [TerminusModule.forRoot({ logger: false })] };

/** What a health check answers: the status of the whole, and of each server. */
async function healthOf(application: Application): Promise<unknown> {
  const indicator = application.get(McpHealthIndicator);
  const check = application.get(HealthCheckService, { strict: false }).check([() => indicator.isHealthy('mcp')]);
  const result = await check.catch((error: { getResponse(): unknown }) => error.getResponse());
  const { status, details } = result as {
    status: string;
    details: { mcp: { servers: Record<string, { status: string }> } };
  };
  return {
    status,
    ...Object.fromEntries(Object.entries(details.mcp.servers).map(([name, server]) => [name, server.status])),
  };
}

/** Lets the wait after a failure pass. */
function waitForBackOff(): void {
  const later = Date.now() + 120_000;
  jest.spyOn(Date, 'now').mockImplementation(() => later);
}

afterEach(async () => {
  jest.restoreAllMocks();
  await closeApplications();
});

describe('a program that is killed in the middle of a call', () => {
  const server = { name: 'local', command: process.execPath, args: [fixture('stdio-server.mjs')] };

  it('makes the call fail at once, and the next request starts it again', async () => {
    const application = await clientApplication([server], terminus);
    const { sessions } = application;
    expect(await healthOf(application)).toEqual({ status: 'ok', local: 'not-connected' });
    const first = await sessions.session('local', {});
    expect(await healthOf(application)).toEqual({ status: 'ok', local: 'up' });

    const pid = Number(textOf(await first.client.callTool({ name: 'pid', arguments: {} })));
    const call = first.withElicitation(cancel, () => first.client.callTool({ name: 'wait', arguments: {} }));
    process.kill(pid, 'SIGKILL');
    await expect(call).rejects.toThrow("The MCP server 'local' lost its connection before it answered.");
    expect(await healthOf(application)).toMatchObject({ status: 'error', local: 'down' });

    const unsent = first.withElicitation(cancel, () => first.client.callTool({ name: 'echo', arguments: {} }));
    await expect(unsent).rejects.toMatchObject({ name: 'McpConnectionException', code: 'NOT_CONNECTED' });

    const second = await sessions.session('local', {});
    expect(second).not.toBe(first);
    expect(textOf(await second.client.callTool({ name: 'echo', arguments: { text: 'back' } }))).toBe('back');
    expect(await healthOf(application)).toEqual({ status: 'ok', local: 'up' });
  });
});

describe('a server over HTTP that is killed in the middle of a call', () => {
  async function start() {
    let arrived: (() => void) | undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const mcp = inProcessServer(async (name, _signal, _context, progress) => {
      if (name === 'echo') return name;
      // The answer then is a stream that has begun.
      if (name === 'progress') await progress();
      arrived!();
      return new Promise(() => {});
    });
    const http = await new HttpServer(mcp.handler).start();
    return { http, arrival, url: `${http.origin}/mcp` };
  }

  it.each([
    ['before it began to answer', 'wait'],
    ['after it began to answer', 'progress'],
  ])('makes the call fail at once, %s, is down until it runs again, and is then connected to', async (_title, name) => {
    const { http, arrival, url } = await start();
    const application = await clientApplication([{ name: 'crm', url }], terminus);
    const { sessions } = application;
    const session = await sessions.session('crm', {});
    await session.tools();
    let begin: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const call = session.withElicitation(cancel, () =>
      session.client.callTool({ name, arguments: {} }, { onprogress: begin! }),
    );
    call.catch(() => {});
    await arrival;
    if (name === 'progress') await begun;
    await http.kill();
    await expect(call).rejects.toThrow("The MCP server 'crm' lost its connection before it answered.");

    const unsent = session.withElicitation(cancel, () => session.client.callTool({ name: 'echo', arguments: {} }));
    await expect(unsent).rejects.toMatchObject({ name: 'McpConnectionException', code: 'NOT_CONNECTED' });
    await expect(sessions.session('crm', {})).rejects.toThrow("The MCP server 'crm' cannot be reached (ECONNREFUSED)");
    expect(await healthOf(application)).toMatchObject({ status: 'error', crm: 'down' });
    await expect(sessions.session('crm', {})).rejects.toThrow('was not asked, because the last attempt failed');

    await http.start();
    waitForBackOff();
    const again = await sessions.session('crm', {});
    expect(textOf(await again.client.callTool({ name: 'echo', arguments: {} }))).toBe('echo');
    expect(await healthOf(application)).toEqual({ status: 'ok', crm: 'up' });
    await http.kill();
  });

  it('is found by the health check when it runs again, without a request', async () => {
    const { http, url } = await start();
    await http.kill();
    const application = await clientApplication([{ name: 'crm', url }], terminus);
    await expect(application.sessions.session('crm', {})).rejects.toThrow('cannot be reached');
    await http.start();
    waitForBackOff();
    expect(await healthOf(application)).toMatchObject({ crm: 'down' });
    await application.sessions.session('crm', {});
    expect(await healthOf(application)).toEqual({ status: 'ok', crm: 'up' });
    await http.kill();
  });

  it('shows neither its address nor its texts in a health check', async () => {
    const { http, url } = await start();
    const application = await clientApplication([{ name: 'crm', url }], terminus);
    await application.sessions.session('crm', {});
    expect(JSON.stringify(application.get(McpHealthIndicator).isHealthy('mcp'))).toBe(
      '{"mcp":{"status":"up","servers":{"crm":{"status":"up"}}}}',
    );
    await http.kill();
  });
});

describe('a required server', () => {
  it('is connected to when the application starts', async () => {
    const server = inProcessServer();
    const application = await clientApplication(
      [{ name: 'crm', url: 'https://crm.example.com/mcp', fetch: server.fetch, required: true }],
      terminus,
    );
    expect(server.methods).toEqual(['tools/list']);
    expect(await healthOf(application)).toEqual({ status: 'ok', crm: 'up' });
  });

  it('that is down keeps the application from starting, with all problems in one error', async () => {
    const application = clientApplication([
      { name: 'crm', command: '/no/such/program', required: true },
      { name: 'erp', command: process.execPath, args: ['-e', ''], required: true },
      { name: 'optional', command: '/no/such/program' },
    ]);
    const error = await application.catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({
      name: 'AiBootstrapException',
      problems: [
        "The MCP server 'crm' cannot be started (ENOENT). Check its command and its working directory. To start without the server, set ai.mcp.servers.crm.required to false.",
        "The MCP server 'erp' ended before it answered, or is no MCP server. Run its command by hand to see why. To start without the server, set ai.mcp.servers.erp.required to false.",
      ],
    });
  });
});
