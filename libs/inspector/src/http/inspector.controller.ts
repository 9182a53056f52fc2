import {
  Body,
  type CanActivate,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
  SetMetadata,
  type Type,
  UseFilters,
  UseGuards,
  ValidationPipe,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { auditTime, map, startWith } from 'rxjs';
import { AiExceptionFilter, type HttpRequest, type HttpResponse } from '@nestor-ai/core';
import { ChatRuns } from '../chat/chat-runs.js';
import {
  ChatBody,
  DecisionsBody,
  PreviewBody,
  ReplayBody,
  RetryBody,
  RunBody,
  SaveTestBody,
  ToolRunBody,
} from '../chat/chat-requests.js';
import { PageCaller } from '../chat/page-caller.js';
import { Previews } from '../chat/previews.js';
import { HostApplication } from '../host-application.js';
import { SavedTests } from '../saved-tests/saved-tests.js';
import { ToolRuns } from '../tools/tool-runs.js';
import { ToolViews } from '../tools/tool-views.js';
import { Conversations } from '../view/conversations.js';
import { ShownContent } from '../view/shown-content.js';
import { TurnLists } from '../view/turn-lists.js';
import { InspectorInnerDoor, OPENS_PAGE } from './inspector-door.guard.js';
import { TurnRing } from '../recording/turn-ring.js';
import { createPage } from './page.js';
import { RefusedByApplicationFilter } from './refused-by-application.filter.js';
import { sendJson, sendLines, sendPage } from './send.js';
import type { TurnFilter } from '../view/turn-filter.js';

/** How many milliseconds lie at least between two lines about changes. */
const CHANGES = 200;

/** Reads a body of the page, whatever pipes the application has. */
const sentAs = (expectedType: Type): ValidationPipe =>
  new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true, expectedType });

/** Hides the class of a body from the application's global pipes, which run first. */
type Sent<Body> = Body;

/** Makes the controller. Its path, guards and decorators must be known before Nest creates it. */
export function createInspectorController(
  path: string,
  guards: readonly (CanActivate | Type<CanActivate>)[],
  decorators: readonly ClassDecorator[],
): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(InspectorInnerDoor, ...guards)
  @UseFilters(AiExceptionFilter, RefusedByApplicationFilter)
  class InspectorController {
    constructor(
      private readonly application: HostApplication,
      private readonly runs: ChatRuns,
      private readonly previews: Previews,
      private readonly lists: TurnLists,
      private readonly conversations: Conversations,
      private readonly toolViews: ToolViews,
      private readonly toolRuns: ToolRuns,
      private readonly tests: SavedTests,
      private readonly caller: PageCaller,
      private readonly shown: ShownContent,
      private readonly ring: TurnRing,
    ) {}

    @Get()
    @SetMetadata(OPENS_PAGE, true)
    page(@Res() response: HttpResponse): void {
      const { html, policy } = createPage();
      sendPage(response, html, policy);
    }

    @Get('api/settings')
    settings(@Res() response: HttpResponse): void {
      sendJson(response, {
        clients: this.application.clients.names,
        content: this.shown.isOn,
        impersonate: this.caller.canImpersonate,
        writesTests: this.tests.canWrite,
      });
    }

    /** A line when it begins, and one soon after a turn has changed. The page reads again what it shows. */
    @Get('api/changes')
    changes(@Res() response: HttpResponse): void {
      sendLines(response, this.ring.changed.pipe(auditTime(CHANGES), startWith(undefined), map(Object)));
    }

    @Get('api/tools')
    async tools(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
      sendJson(response, await this.toolViews.list(request));
    }

    @Get('api/tool')
    async tool(@Query('key') key: string, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
      sendJson(response, await this.toolViews.view(key, request));
    }

    @Post('api/tool/run')
    async runTool(
      @Body(sentAs(ToolRunBody)) body: Sent<ToolRunBody>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendJson(response, await this.toolRuns.run(body, request, await this.caller.of(request, body.as)));
    }

    @Post('api/preview')
    async preview(
      @Body(sentAs(PreviewBody)) body: Sent<PreviewBody>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendJson(response, await this.previews.of(body.client, await this.caller.of(request, body.as)));
    }

    @Post('api/chat')
    async chat(
      @Body(sentAs(ChatBody)) body: Sent<ChatBody>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendLines(response, await this.runs.ask(body, await this.caller.of(request, body.as)));
    }

    @Get('api/turns')
    async list(@Query() filter: TurnFilter, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
      sendJson(response, await this.lists.of(filter, await this.caller.of(request, filter.as)));
    }

    @Get('api/turns/:id')
    async turn(
      @Param('id') id: string,
      @Query('as') as: unknown,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendJson(response, await this.lists.one(id, await this.caller.of(request, as)));
    }

    @Get('api/conversations')
    async listConversations(
      @Query('limit') limit: unknown,
      @Query('as') as: unknown,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendJson(response, await this.conversations.list(limit, await this.caller.of(request, as)));
    }

    @Get('api/conversation')
    async conversation(
      @Query() { id, limit, as }: Readonly<Record<string, unknown>>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendJson(response, await this.conversations.one(String(id), limit, await this.caller.of(request, as)));
    }

    @Post('api/turns/:id/stop')
    @HttpCode(200)
    async stop(
      @Param('id') id: string,
      @Body(sentAs(RunBody)) { as }: Sent<RunBody>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      await this.runs.stop(id, await this.caller.of(request, as));
      sendJson(response, {});
    }

    @Post('api/turns/:id/decisions')
    async decide(
      @Param('id') id: string,
      @Body(sentAs(DecisionsBody)) body: Sent<DecisionsBody>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendLines(response, await this.runs.decide(id, body, await this.caller.of(request, body.as)));
    }

    @Post('api/turns/:id/retry')
    async retry(
      @Param('id') id: string,
      @Body(sentAs(RetryBody)) body: Sent<RetryBody>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendLines(response, await this.runs.retry(id, body, await this.caller.of(request, body.as)));
    }

    @Get('api/turns/:id/test')
    async draftTest(
      @Param('id') id: string,
      @Query('as') as: unknown,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendJson(response, await this.tests.draft(id, await this.caller.of(request, as)));
    }

    @Post('api/turns/:id/replay')
    @HttpCode(200)
    async replay(
      @Param('id') id: string,
      @Body(sentAs(ReplayBody)) body: Sent<ReplayBody>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendJson(response, await this.tests.replay(id, body, await this.caller.of(request, body.as)));
    }

    @Post('api/turns/:id/test')
    async saveTest(
      @Param('id') id: string,
      @Body(sentAs(SaveTestBody)) body: Sent<SaveTestBody>,
      @Req() request: HttpRequest,
      @Res() response: HttpResponse,
    ): Promise<void> {
      sendJson(response, await this.tests.save(id, body, await this.caller.of(request, body.as)));
    }
  }
  for (const decorate of decorators) decorate(InspectorController);
  return InspectorController;
}
