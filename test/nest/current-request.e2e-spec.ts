import type { Server } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  type INestApplication,
  Logger,
  type MessageEvent,
  Optional,
  Param,
  type Provider,
  Scope,
  Sse,
  UseGuards,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AiModule, type AiModuleOptions, ChatClient, type Prompt, Tool, toolProvider } from '@nestor-ai/core';
import { type ScriptedAnswer, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import type { Observable } from 'rxjs';
import { from, map, mergeMap } from 'rxjs';
import request from 'supertest';

let app: INestApplication | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await app?.close();
  app = undefined;
});

interface TenantRequest {
  readonly params?: { tenant?: string };
}

@Injectable({ scope: Scope.REQUEST })
class Tenant {
  constructor(@Inject(REQUEST) readonly request: TenantRequest | undefined) {}
}

@Injectable({ scope: Scope.REQUEST })
class OrderTools {
  constructor(private readonly tenant: Tenant) {}

  @Tool({ description: 'Count the orders' })
  countOrders(): string {
    return `orders of ${this.tenant.request?.params?.tenant}`;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Notes {
  @Tool({ description: 'Count the notes' })
  countNotes(): string {
    return 'no notes';
  }
}

@Injectable({ scope: Scope.REQUEST })
class InvoiceTools {
  constructor(
    @Optional() @Inject('CURRENCY') readonly currency: string | undefined,
    private readonly tenant: Tenant,
  ) {}

  @Tool({ description: 'Count the invoices' })
  countInvoices(): string {
    return `invoices of ${this.tenant.request?.params?.tenant}`;
  }
}

@Injectable()
class HttpGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ headers: object }>().headers !== undefined;
  }
}

@Injectable({ scope: Scope.REQUEST })
class TenantGuard implements CanActivate {
  constructor(private readonly tenant: Tenant) {}

  canActivate(): boolean {
    return this.tenant.request?.params?.tenant !== 'locked';
  }
}

@Injectable()
class TenantTools {
  @UseGuards(TenantGuard)
  @Tool({ description: 'Count the users' })
  countUsers(): string {
    return '3 users';
  }

  @Tool({ description: 'Count the countries' })
  countCountries(): string {
    return '7 countries';
  }
}

@Injectable()
class GuardedTools {
  @UseGuards(HttpGuard)
  @Tool({ description: 'Count the payments' })
  countPayments(): string {
    return 'no payments';
  }
}

@Controller('tenants/:tenant')
class TenantController {
  constructor(
    private readonly chatClient: ChatClient,
    private readonly model: ScriptedChatModel,
  ) {}

  @Get()
  async ask(@Param('tenant') _tenant: string): Promise<readonly string[]> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await this.chatClient.prompt('How many?').call().content();
    return this.model.toolResponses;
  }

  @Get('generated')
  async *generated(): AsyncGenerator<string> {
    yield `${await this.chatClient.prompt('How many?').call().content()} `;
    yield this.model.toolResponses.join();
  }

  @Sse('stream')
  stream(): Observable<MessageEvent> {
    return this.chatClient
      .prompt('How many?')
      .stream()
      .content()
      .pipe(map((data) => ({ data: `${data} ${this.model.toolResponses.join()}` })));
  }

  @Sse('later')
  later(): Observable<MessageEvent> {
    return from(Promise.resolve()).pipe(mergeMap(() => this.stream()));
  }
}

interface Setting {
  readonly tool?: string;
  readonly tools?: NonNullable<NonNullable<AiModuleOptions['properties']>['tools']>;
  readonly providers?: Provider[];
  readonly fastify?: boolean;
}

async function start({ tool = 'countOrders', tools = {}, providers = [], fastify = false }: Setting): Promise<Server> {
  const answer = ({ messages }: Prompt): ScriptedAnswer =>
    messages.at(-1)?.role === 'tool' ? { text: 'Done' } : { toolCalls: [toolCall(tool)] };
  const model = new ScriptedChatModel(Array.from({ length: 10 }, () => answer));
  const testing = await Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel: model, properties: { tools } })],
    providers: [OrderTools, Tenant, Notes, GuardedTools, { provide: ScriptedChatModel, useValue: model }, ...providers],
    controllers: [TenantController],
  }).compile();
  app = fastify
    ? testing.createNestApplication<NestFastifyApplication>(new FastifyAdapter())
    : testing.createNestApplication();
  app.useLogger(new Logger());
  await app.init();
  if (fastify) await (app as NestFastifyApplication).getHttpAdapter().getInstance().ready();
  return app.getHttpServer() as Server;
}

function logged(level: 'warn' | 'error'): readonly string[] {
  const texts: string[] = [];
  jest.spyOn(Logger.prototype, level).mockImplementation((text: unknown) => void texts.push(String(text)));
  return texts;
}

describe('a guard that refuses a call', () => {
  @Injectable()
  class SignedIn implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const request = context.switchToHttp().getRequest<{ user?: string } | undefined>();
      return request?.user === 'Ada';
    }
  }
  @Injectable()
  @UseGuards(SignedIn)
  class StaffTools {
    @Tool({ description: 'Count the salaries' })
    countSalaries(): string {
      return '9 salaries';
    }

    @Tool({ description: 'Fails as a guard does' })
    countLeaves(): never {
      throw new ForbiddenException();
    }
  }
  const ask = async (request?: object) => {
    const asked = app!.get(ChatClient).prompt('How many?');
    await (request ? asked.request(request) : asked).call().content();
  };

  it('is warned about once per tool where the call has no request, with the remedy', async () => {
    const warnings = logged('warn');
    await start({ tool: 'countSalaries', providers: [StaffTools] });
    await ask();
    await ask();
    expect(warnings).toEqual([
      expect.stringMatching(/A guard of the tool StaffTools\.countSalaries\(\) has refused .*\.request\(req\)/),
    ]);
  });

  it.each([
    ['the call has a request', 'countSalaries', { user: 'Bob' }],
    ['the tool itself refuses', 'countLeaves', { user: 'Ada' }],
  ])('is no warning where %s', async (_what, tool, request) => {
    const warnings = logged('warn');
    await start({ tool, providers: [StaffTools] });
    await ask(request);
    expect(warnings).toEqual([]);
  });
});

describe('a tool that injects REQUEST, called without a request', () => {
  it('is warned about once per class, with the remedy', async () => {
    const warnings = logged('warn');
    await start({});
    const chatClient = app!.get(ChatClient);
    await chatClient.prompt('How many?').call().content();
    await chatClient.prompt('How many?').call().content();
    const about = warnings.filter((text) => text.includes('REQUEST'));
    expect(about).toEqual([expect.stringMatching(/OrderTools\.countOrders\(\).*\.request\(req\).*require-request/)]);
  });

  it('does not run where a request is required', async () => {
    const errors = logged('error');
    const model = (await start({ tools: { requireRequest: true } })) && app!.get(ScriptedChatModel);
    await app!.get(ChatClient).prompt('How many?').call().content();
    expect(model.toolResponses).toEqual([expect.not.stringContaining('orders of')]);
    expect(errors).toEqual([expect.stringMatching(/OrderTools\.countOrders\(\) did not run.*\.request\(req\)/)]);
  });

  it('does not run at the first call of its class either, which creates it with its own REQUEST', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class OwnRequestTools {
      static made = 0;
      readonly #tenant: string;
      constructor(@Inject(REQUEST) request: TenantRequest) {
        OwnRequestTools.made++;
        this.#tenant = request.params!.tenant!;
      }
      @Tool({ description: 'Count the stocks' })
      countStocks(): string {
        return `stocks of ${this.#tenant}`;
      }
    }
    const errors = logged('error');
    const setting = { tool: 'countStocks', tools: { requireRequest: true }, providers: [OwnRequestTools] };
    await start(setting);
    await app!.get(ChatClient).prompt('How many?').call().content();
    expect(errors).toContainEqual(
      expect.stringMatching(/OwnRequestTools\.countStocks\(\) did not run.*\.request\(req\)/),
    );
    // Nest 11 learns of it from the first instance.
    expect(OwnRequestTools.made).toBeLessThanOrEqual(1);
  });

  it('does not run where its guard injects REQUEST and a request is required, but other tools of its class do', async () => {
    const errors = logged('error');
    const setting = { tools: { requireRequest: true }, providers: [TenantTools] };
    const model = (await start({ ...setting, tool: 'countUsers' })) && app!.get(ScriptedChatModel);
    await app!.get(ChatClient).prompt('How many?').call().content();
    expect(model.toolResponses).toEqual([expect.not.stringContaining('users')]);
    expect(errors).toEqual([expect.stringContaining('TenantTools.countUsers() did not run')]);
    await app!.close();
    const other = (await start({ ...setting, tool: 'countCountries' })) && app!.get(ScriptedChatModel);
    await app!.get(ChatClient).prompt('How many?').call().content();
    expect(other.toolResponses).toEqual(['7 countries']);
  });

  it.each([false, true])('runs with a request, whether one is required or not: %p', async (requireRequest) => {
    const warnings = logged('warn');
    await start({ tools: { requireRequest } });
    const chatRequest = app!
      .get(ChatClient)
      .prompt('How many?')
      .request({ params: { tenant: 'acme' } });
    await chatRequest.call().content();
    expect(app!.get(ScriptedChatModel).toolResponses).toEqual(['orders of acme']);
    expect(warnings).toEqual([]);
  });

  it('is no subject of a warning when it does not inject REQUEST', async () => {
    const warnings = logged('warn');
    await start({ tool: 'countNotes', tools: { requireRequest: true } });
    await app!.get(ChatClient).prompt('How many?').call().content();
    expect(app!.get(ScriptedChatModel).toolResponses).toEqual(['no notes']);
    expect(warnings).toEqual([]);
  });

  it('is warned about when an optional dependency before it is missing', async () => {
    const warnings = logged('warn');
    await start({ tool: 'countInvoices', providers: [InvoiceTools] });
    await app!.get(ChatClient).prompt('How many?').call().content();
    expect(app!.get(ScriptedChatModel).toolResponses).toEqual(['invoices of undefined']);
    expect(warnings).toEqual([expect.stringContaining('InvoiceTools.countInvoices()')]);
  });

  it('is warned about when it is a function', async () => {
    const warnings = logged('warn');
    const counting = toolProvider('countItems', {
      inject: [REQUEST],
      scope: Scope.REQUEST,
      useFactory: (req: TenantRequest | undefined) => () => `items of ${req?.params?.tenant}`,
    });
    await start({ tool: 'countItems', providers: [counting] });
    await app!.get(ChatClient).prompt('How many?').call().content();
    expect(warnings).toEqual([expect.stringContaining("'countItems'")]);
  });
});

describe('the HTTP request that is being handled', () => {
  it.each([false, true])('is the request of the tools where it is looked for (Fastify: %p)', async (fastify) => {
    const warnings = logged('warn');
    const server = await start({ tools: { findRequest: true }, fastify });
    const { body } = await request(server).get('/tenants/acme').expect(200);
    expect(body).toEqual(['orders of acme']);
    expect(warnings).toEqual([]);
  });

  it('is kept apart from the requests at the same time', async () => {
    const server = await start({ tools: { findRequest: true } });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await Promise.all(['acme', 'initech', 'umbrella'].map((tenant) => request(server).get(`/tenants/${tenant}`)));
    const said = app!.get(ScriptedChatModel).prompts.flatMap(({ messages }) => messages);
    const found = said.flatMap((message) => (message.role === 'tool' ? message.responses[0]!.responseData : []));
    expect(found.sort()).toEqual(['orders of acme', 'orders of initech', 'orders of umbrella']);
  });

  it.each(['stream', 'later'])('is found for a stream that Nest subscribes to later (%s)', async (path) => {
    const server = await start({ tools: { findRequest: true } });
    const { text } = await request(server).get(`/tenants/acme/${path}`).expect(200);
    expect(text).toContain('Done orders of acme');
  });

  it('is found in a generator, which Nest reads later', async () => {
    const server = await start({ tools: { findRequest: true } });
    const { body, text } = await request(server).get('/tenants/acme/generated').expect(200);
    expect(text ?? String(body)).toBe('Done orders of acme');
  });

  it('gives way to the request that the caller gives', async () => {
    await start({ tools: { findRequest: true } });
    const chatRequest = app!
      .get(ChatClient)
      .prompt('How many?')
      .request({ params: { tenant: 'other' } });
    await chatRequest.call().content();
    expect(app!.get(ScriptedChatModel).toolResponses).toEqual(['orders of other']);
  });

  it('is not looked for by default', async () => {
    logged('warn');
    const server = await start({});
    const { body } = await request(server).get('/tenants/acme').expect(200);
    expect(body).toEqual(['orders of undefined']);
  });
});

describe('a guard for HTTP requests on a tool', () => {
  it('that fails without a request has the log say first how to give one', async () => {
    const errors = logged('error');
    await start({ tool: 'countPayments' });
    await app!.get(ChatClient).prompt('How many?').call().content();
    expect(errors).toEqual([
      expect.stringMatching(/countPayments\(\) failed with TypeError.*\.request\(req\).*HttpException/),
    ]);
  });
});
