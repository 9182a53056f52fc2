import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { McpCredentials, McpSignIn } from '@nestor-ai/mcp';
import { type AuthInfo, createMcpHandler, requireBearerAuth, Server } from '@modelcontextprotocol/server';
import { AuthorizationServer } from './fixtures/authorization-server.js';
import { clientApplication, closeApplications, textOf } from './fixtures/client-application.js';
import { HttpServer } from './fixtures/http-server.js';
import { TenantCredentials } from './fixtures/tenant-credentials.js';

/** A server that shows each tenant its own tools, and whose answers say whose token it got. */
async function tenantServer(authorization: AuthorizationServer) {
  const waiting: (() => void)[] = [];
  const made = { lists: 0, arrived: () => {} };
  const tenantOf = (auth: AuthInfo | undefined): string => String(auth?.extra?.['tenant']);
  const handler = createMcpHandler(({ authInfo }) => {
    const capabilities = { tools: { listChanged: true } };
    const server = new Server({ name: 'tenants', version: '1.0.0' }, { capabilities });
    const hints = { ttlMs: 60_000, cacheScope: 'public' as const };
    server.setRequestHandler('tools/list', () => {
      made.lists++;
      return { tools: [{ name: `report_of_${tenantOf(authInfo)}`, inputSchema: { type: 'object' } }], ...hints };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      const progress = (count: number) =>
        mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken!, progress: count, message: `for ${tenantOf(authInfo)}` },
        });
      await progress(1);
      made.arrived();
      await new Promise<void>((resolve) => waiting.push(resolve));
      await progress(2);
      return { content: [{ type: 'text', text: `${params.name} for ${tenantOf(authInfo)}` }] };
    });
    return server;
  });
  const http: HttpServer = new HttpServer({
    fetch: async (request): Promise<Response> => {
      const resource = new URL('/mcp', http.origin);
      const resourceMetadataUrl = `${http.origin}/.well-known/oauth-protected-resource/mcp`;
      if (request.url === resourceMetadataUrl)
        return Response.json({ resource: resource.href, authorization_servers: [authorization.issuer] });
      const gate = requireBearerAuth({ verifier: authorization, resourceMetadataUrl, expectedResource: resource });
      const auth = await gate(request);
      return auth instanceof Response ? auth : handler.fetch(request, { authInfo: auth });
    },
  });
  await http.start();
  return Object.assign(made, {
    http,
    url: `${http.origin}/mcp`,
    release: () =>
      waiting
        .splice(0)
        .reverse()
        .forEach((end) => end()),
  });
}

describe('two tenants with OAuth', () => {
  let authorization: AuthorizationServer;
  let server: Awaited<ReturnType<typeof tenantServer>>;

  beforeEach(async () => {
    authorization = await AuthorizationServer.start();
    server = await tenantServer(authorization);
  });

  afterEach(async () => {
    await closeApplications();
    await server.http.kill();
    await authorization.close();
  });

  async function application() {
    const credentials = new TenantCredentials();
    const providers = [{ provide: McpCredentials, useValue: credentials }];
    const servers = [{ name: 'crm', url: server.url, headers: { 'x-application-key': 'k-1' } }];
    const app = await clientApplication(servers, { providers });
    const signIn = async (tenant: string, as = tenant): Promise<void> => {
      await expect(app.sessions.session('crm', { tenant })).rejects.toThrow('Let the user sign in again');
      const callback = authorization.signIn(credentials.stores.get(tenant)!.address!, as);
      await app.get(McpSignIn).finish('crm', { tenant }, callback);
    };
    return { app, sessions: app.sessions, credentials, signIn };
  }

  it('sign in with PKCE and a client id metadata document, and then connect', async () => {
    const { sessions, credentials, signIn } = await application();
    await signIn('acme');
    const address = credentials.stores.get('acme')!.address!;
    expect(address.searchParams.get('client_id')).toBe('https://app.example.com/client.json');
    expect(address.searchParams.get('resource')).toBe(server.url);
    const session = await sessions.session('crm', { tenant: 'acme' });
    expect((await session.tools()).map(({ name }) => name)).toEqual(['report_of_acme']);
  });

  it('never use the connection, the tools or the token of the other', async () => {
    const { sessions, signIn } = await application();
    await Promise.all([signIn('acme'), signIn('globex')]);
    const tenants = ['acme', 'globex', 'acme', 'globex'];
    const opened = await Promise.all(tenants.map((tenant) => sessions.session('crm', { tenant })));
    expect(opened[2]).toBe(opened[0]);
    expect(opened[3]).toBe(opened[1]);
    expect(opened[1]).not.toBe(opened[0]);
    const lists = await Promise.all(opened.map((session) => session.tools()));
    expect(lists.map(([first]) => first!.name)).toEqual(tenants.map((tenant) => `report_of_${tenant}`));
    expect(server.lists).toBe(2);
    await expect(sessions.session('crm', {})).rejects.toThrow('refuses the credential (401)');
  });

  it('get their own progress and answers while streams cross', async () => {
    const { sessions, signIn } = await application();
    await Promise.all([signIn('acme'), signIn('globex')]);
    const tenants = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'acme' : 'globex'));
    const seen = tenants.map(() => new Set<string | undefined>());
    let goOn = (): void => undefined;
    // The clients of the SDK drop progress that they read together with the result.
    const allSeen = new Promise<void>((resolve) => (goOn = resolve));
    const calls = tenants.map(async (tenant, index) => {
      const session = await sessions.session('crm', { tenant });
      const onprogress = ({ message }: { message?: string | undefined }): void => {
        seen[index]!.add(message);
        if (seen.every(({ size }) => size > 0)) goOn();
      };
      return textOf(await session.client.callTool({ name: `call${index}`, arguments: {} }, { onprogress }));
    });
    await allSeen;
    server.release();
    expect(await Promise.all(calls)).toEqual(tenants.map((tenant, index) => `call${index} for ${tenant}`));
    expect(seen.map((messages) => [...messages])).toEqual(tenants.map((tenant) => [`for ${tenant}`]));
  });

  it('refresh their tokens during a session', async () => {
    const { sessions, signIn } = await application();
    await Promise.all([signIn('acme'), signIn('globex')]);
    const acme = await sessions.session('crm', { tenant: 'acme' });
    const globex = await sessions.session('crm', { tenant: 'globex' });
    authorization.expireTokens();
    server.arrived = () => setImmediate(server.release);
    const answers = await Promise.all(
      [acme, globex].map(({ client }) => client.callTool({ name: 'report', arguments: {} })),
    );
    expect(answers.map(textOf)).toEqual(['report for acme', 'report for globex']);
  });

  it('cannot end the sign-in of the other', async () => {
    const warnings = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const { app, sessions, credentials, signIn } = await application();
    await signIn('acme');
    await expect(sessions.session('crm', { tenant: 'globex' })).rejects.toThrow('refuses the credential');
    const callback = authorization.signIn(credentials.stores.get('globex')!.address!, 'globex');
    // The verifier of PKCE belongs to the tenant that began.
    const error = await app
      .get(McpSignIn)
      .finish('crm', { tenant: 'acme' }, callback)
      .catch((thrown: unknown) => String(thrown));
    expect(error).toContain("The MCP server 'crm' did not let the user sign in");
    expect(error + String(warnings.mock.calls)).not.toContain('SECRET DETAIL');
  });

  it('and the authorization server do not get the headers that are for the MCP server', async () => {
    const { signIn } = await application();
    await signIn('acme');
    expect(authorization.headers.length).toBeGreaterThan(0);
    expect(authorization.headers.filter((headers) => headers['x-application-key'] !== undefined)).toEqual([]);
  });
});
