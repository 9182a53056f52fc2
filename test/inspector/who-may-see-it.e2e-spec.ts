import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UnauthorizedException,
  VersioningType,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type CallAdvisor, ChatClient, Ordered, Turn } from '@nestor-ai/core';
import type { TurnControl } from '@nestor-ai/core/internal';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { AiInspectorModule } from '@nestor-ai/inspector';
import { map, type Observable } from 'rxjs';
import { InspectedApplication, type InspectedOptions, question } from './inspected-application.js';

const { NODE_ENV } = process.env;
let inspected: InspectedApplication | undefined;
afterEach(async () => {
  process.env['NODE_ENV'] = NODE_ENV;
  await inspected?.close();
  inspected = undefined;
});

const start = async (options: Partial<InspectedOptions> = {}): Promise<InspectedApplication> =>
  (inspected = await InspectedApplication.start({ chatModel: new ScriptedChatModel(() => 'Hello.'), ...options }));

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    return headers['authorization'] === 'admin';
  }
}

/** Sends a request with any Host header, which fetch() does not allow. */
function statusWithHost(app: InspectedApplication, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${app.origin}/ai`, { headers: { ...app.header, host } }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe.each(['express', 'fastify'] as const)('the inspector on %s', (platform) => {
  it('is one page that loads nothing and may run only its own script', async () => {
    const app = await start({ platform });
    const response = await app.request('ai');
    const page = await response.text();
    const policy = response.headers.get('content-security-policy')!;
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)![1]!;
    expect(response.status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page).toContain(`<script nonce="${nonce}"`);
    expect(page).not.toMatch(/(?:src|href)="https?:/);
    const again = await app.request('ai');
    expect(again.headers.get('content-security-policy')).not.toContain(nonce);
  });

  it('works under a global prefix, with versions and with an interceptor that wraps answers', async () => {
    @Injectable()
    class Wrap implements NestInterceptor {
      intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(map((data: unknown) => ({ data })));
      }
    }
    const app = await start({
      platform,
      providers: [{ provide: APP_INTERCEPTOR, useClass: Wrap }],
      configure: (nest) => {
        nest.setGlobalPrefix('backend');
        nest.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
      },
    });
    expect((await app.request('backend/ai')).status).toBe(200);
    const settings = await (await app.request('backend/ai/api/settings')).json();
    expect(settings).toMatchObject({ clients: ['default'], content: true });
  });

  it('answers nothing that the page has not asked for', async () => {
    const app = await start({ platform });
    const without = await fetch(`${app.origin}/ai/api/turns`);
    expect(without.status).toBe(403);
    const foreign = await app.request('ai/api/turns', { headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    const nowhere = await app.request('ai/api/chat', { body: question('Hi'), headers: { origin: 'null' } });
    expect(nowhere.status).toBe(403);
    const form = await fetch(`${app.origin}/ai/api/chat`, {
      method: 'POST',
      body: new URLSearchParams({ message: 'x' }),
    });
    expect(form.status).toBe(403);
    const own = await app.request('ai/api/turns', { headers: { origin: app.origin } });
    expect(own.status).toBe(200);
  });

  it('answers only under a local name, and only this computer, when it has no guards', async () => {
    const app = await start({ platform });
    const port = new URL(app.origin).port;
    expect(await statusWithHost(app, `localhost:${port}`)).toBe(200);
    expect(await statusWithHost(app, `rebound.evil.example:${port}`)).toBe(403);
    expect(await statusWithHost(app, `127.0.0.1.evil.example`)).toBe(403);
    expect(await statusWithHost(app, `localhost@evil.example`)).toBe(403);
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
      expect((await app.request('ai', { headers: { [header]: '203.0.113.7' } })).status).toBe(403);
  });

  it('answers nobody without the token of this start: a proxy may look like this computer', async () => {
    const app = await start({ platform });
    const { origin } = app;
    const statusOf = async (path: string, header?: string): Promise<number> =>
      (await fetch(`${origin}/${path}`, { headers: header === undefined ? {} : { 'x-nestor-inspector': header } }))
        .status;
    const token = app.header['x-nestor-inspector']!;
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(await statusOf('ai')).toBe(403);
    expect(await statusOf(`ai?token=${token.slice(1)}`)).toBe(403);
    expect(await statusOf(`ai?token=&token=${token}`)).toBe(403);
    expect(await statusOf('ai/api/settings', '1')).toBe(403);
    expect(await statusOf('ai/api/settings', '')).toBe(403);
    expect(await statusOf(`ai/api/settings?token=${token}`)).toBe(403);
    expect(await statusOf(`ai/api/settings?token=${token}`, '1')).toBe(403);
    expect(await statusOf('ai/api/settings', token)).toBe(200);
    expect(await statusOf(`ai?token=${token}`)).toBe(200);
  });

  it('logs an address that works, and says of an older one what to do', async () => {
    const configure = (nest: INestApplication): void =>
      void nest.setGlobalPrefix('v1/backend', { exclude: ['health', 'tools'] });
    const app = await start({ platform, configure, inspector: { path: '/tools/ai/' } });
    const old = app.address!;
    expect(new URL(old)).toMatchObject({ hostname: 'localhost', pathname: '/v1/backend/tools/ai' });
    expect((await fetch(old)).status).toBe(200);
    await app.close();
    const again = await start({ platform, configure, inspector: { path: 'tools' } });
    const { pathname, origin, search } = new URL(again.address!);
    expect(pathname).toBe('/tools');
    expect((await fetch(again.address!)).status).toBe(200);
    const refused = await fetch(`${origin}/tools${new URL(old).search}`);
    expect(search).not.toBe(new URL(old).search);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      message: expect.stringMatching(/token .* earlier start .* Open the address that the application logged/),
    });
  });

  it('has no token with guards, which replace it', async () => {
    const app = await start({ platform, inspector: { guards: [AdminGuard] } });
    expect(app.address).toBeUndefined();
    const settings = await app.request('ai/api/settings', { headers: { authorization: 'admin' } });
    expect(settings.status).toBe(200);
  });

  it('shows nothing to whom a guard refuses', async () => {
    const app = await start({ platform, inspector: { guards: [AdminGuard] } });
    for (const path of ['ai', 'ai/api/settings', 'ai/api/turns', 'ai/api/tools', 'ai/api/tool?key=x', 'ai/api/turns/x'])
      expect((await app.request(path)).status).toBe(403);
    for (const path of [
      'chat',
      'tool/run',
      'preview',
      'turns/x/stop',
      'turns/x/retry',
      'turns/x/decisions',
      'turns/x/test',
    ])
      expect((await app.request(`ai/api/${path}`, { body: question('Hi') })).status).toBe(403);
    expect((await app.request('ai', { headers: { authorization: 'admin' } })).status).toBe(200);
  });

  it('checks the host before the guards of the application run', async () => {
    const seen: string[] = [];
    @Injectable()
    class GlobalGuard implements CanActivate {
      canActivate(): boolean {
        seen.push('guard');
        return true;
      }
    }
    const app = await start({ platform, providers: [{ provide: APP_GUARD, useClass: GlobalGuard }] });
    expect(await statusWithHost(app, 'evil.example')).toBe(403);
    expect(seen).toEqual([]);
    expect((await app.request('ai')).status).toBe(200);
    expect(seen).toEqual(['guard']);
  });

  it('says how to let it pass a guard of the application that refuses it', async () => {
    const Public = () => SetMetadata('isPublic', true);
    @Injectable()
    class SignedIn implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        if (Reflect.getMetadata('isPublic', context.getClass()) === true) return true;
        throw new UnauthorizedException();
      }
    }
    const providers = [{ provide: APP_GUARD, useClass: SignedIn }];
    const refusing = await start({ platform, providers });
    for (const path of ['ai', 'ai/api/settings']) {
      const refused = await refusing.request(path);
      expect(refused.status).toBe(401);
      expect(await refused.text()).toMatch(/guard .* for all endpoints .* decorators: \[Public\(\)\]/);
    }
    // A stranger learns nothing of it.
    expect(await (await fetch(`${refusing.origin}/ai`)).text()).toMatch(/token/);
    await refusing.close();
    const app = await start({ platform, providers, inspector: { decorators: [Public()] } });
    expect((await app.request('ai')).status).toBe(200);
    expect((await app.request('ai/api/settings')).status).toBe(200);
    const byHandler = await app.request('ai/api/chat', { body: question('Hi', { as: 'bob' }) });
    expect(await byHandler.text()).toMatch(/impersonate/);
    expect((await fetch(`${app.origin}/ai`)).status).toBe(403);
  });

  it('refuses bodies that are not those of the page, and says why', async () => {
    const app = await start({ platform });
    const send = async (path: string, body: unknown) => {
      const response = await app.request(`ai/api/${path}`, { body });
      return `${response.status} ${await response.text()}`;
    };
    expect(await send('chat', {})).toMatch(/^400 .*message/);
    expect(await send('chat', question('Hi', { conversation: '../../etc' }))).toMatch(/^400 .*conversation/);
    expect(await send('chat', question('Hi', { client: 'nobody' }))).toMatch(/^404 .*no client 'nobody'.*default/);
    expect(await send('chat', question('Hi', { other: 1 }))).toMatch(/^400 .*other/);
    expect(await send('tool/run', { tool: 'x', arguments: [] })).toMatch(/^400 .*arguments/);
    expect(await send('turns/nothing/stop', {})).toMatch(/^404 .*no such turn/);
    expect(await send('turns/nothing/retry', { modelCall: -1 })).toMatch(/^400 .*modelCall/);
    expect(await send('chat', question('Hi', { as: 'bob' }))).toMatch(/^403 .*impersonate/);
  });
});

describe.each(['production', 'prod', 'Production', 'staging', ' development', ''])(
  'the inspector where NODE_ENV is "%s"',
  (value) => {
    it('does not exist', async () => {
      process.env['NODE_ENV'] = value;
      const app = await start();
      expect((await app.request('ai')).status).toBe(404);
      expect(app.address).toBeUndefined();
    });

    it('stops the start of the application if it is enabled without a guard', async () => {
      process.env['NODE_ENV'] = value;
      await expect(start({ inspector: { enabled: true } })).rejects.toThrow(
        `enabled without guards, and NODE_ENV is '${value}'.`,
      );
    });
  },
);

describe('the inspector in development and production', () => {
  it('answers under the allowed host names, with guards', async () => {
    process.env['NODE_ENV'] = 'production';
    const app = await start({
      inspector: { enabled: true, guards: [AdminGuard], allowedHosts: ['admin.example.com'] },
    });
    expect(await statusWithHost(app, 'admin.example.com')).toBe(403);
    const seen = await new Promise<number>((resolve, reject) => {
      const headers = { host: 'admin.example.com:443', authorization: 'admin', 'x-forwarded-for': '203.0.113.7' };
      const sent = httpRequest(`${app.origin}/ai`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      sent.on('error', reject);
      sent.end();
    });
    expect(seen).toBe(200);
    expect((await app.request('ai', { headers: { authorization: 'admin' } })).status).toBe(403);
  });

  it.each(['Admin.Example.com', 'admin.example.com:8443'])(
    'reads the allowed host %s as browsers write it',
    async (host) => {
      @Injectable()
      class Anybody implements CanActivate {
        canActivate = (): boolean => true;
      }
      const app = await start({ inspector: { guards: [Anybody], allowedHosts: [host] } });
      expect(await statusWithHost(app, 'admin.example.com:8443')).toBe(200);
      expect(await statusWithHost(app, 'example.com')).toBe(403);
    },
  );

  it.each([undefined, 'development', 'test'])('is on where NODE_ENV is %s', async (value) => {
    if (value === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = value;
    expect((await (await start()).request('ai')).status).toBe(200);
  });

  it('costs nothing when it is off: nobody follows the turns', async () => {
    const app = await start({ inspector: { enabled: false } });
    const turns: unknown[] = [];
    const inside: CallAdvisor = {
      name: 'inside the loop',
      order: Ordered.LOWEST_PRECEDENCE - 1,
      adviseCall: (request, chain) => {
        turns.push((Turn.of(request) as TurnControl).observers);
        return chain.nextCall(request);
      },
    };
    expect(await app.get(ChatClient).prompt('Hi').advisors(inside).call().content()).toBe('Hello.');
    expect(turns).toEqual([undefined]);
  });
});

it('needs AiModule', async () => {
  const compiling = Test.createTestingModule({ imports: [AiInspectorModule.forRoot()] }).compile();
  await expect(compiling).rejects.toThrow('AiInspectorModule needs AiModule, whose tools and turns it shows.');
});
