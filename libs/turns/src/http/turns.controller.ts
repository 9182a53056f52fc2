import {
  type CanActivate,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Inject,
  NotImplementedException,
  type OnModuleInit,
  Optional,
  Param,
  Req,
  Res,
  type Type,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  BadRequestException,
} from '@nestjs/common';
import { AiExceptionFilter, type HttpRequest, type HttpResponse, nodeResponseOf } from '@nestor-ai/core';
import { toSafeJson } from '@nestor-ai/core/internal';
import type { NumberedRecordedEvent } from '../streams/recorded-event.js';
import { TurnStreamFormat } from '../streams/turn-stream-format.js';
import { lacksOf, TurnStreams } from '../streams/turn-streams.js';
import { OpenStreams } from './open-streams.js';
import { TurnAccessGate } from './turn-access.js';

const LONGEST_IDS = { turn: 200, conversation: 1000 };

/** @throws BadRequestException if the id is too long */
function checkId(what: keyof typeof LONGEST_IDS, id: string): void {
  if (id.length > LONGEST_IDS[what])
    throw new BadRequestException(`The id of a ${what} has at most ${LONGEST_IDS[what]} characters.`);
}

/**
 * The number of the last event that the client has. 0: none.
 *
 * @throws BadRequestException if the header `Last-Event-ID` is no such number
 */
function lastEventOf({ headers }: HttpRequest): number {
  const given = headers['last-event-id'] ?? '';
  if (given === '') return 0;
  const number = Number(given);
  if (typeof given === 'string' && /^\d+$/.test(given) && number <= 2 ** 31) return number;
  throw new BadRequestException('Last-Event-ID must be the number of an event, such as 12.');
}

const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Makes the controller. Its path and its guards must be known before Nest creates it. */
export function createTurnsController(path: string, guards: readonly (CanActivate | Type<CanActivate>)[]): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(...guards)
  @UseFilters(AiExceptionFilter)
  class TurnsController implements OnModuleInit {
    constructor(
      @Optional() @Inject(TurnStreams) private readonly streams: TurnStreams,
      private readonly gate: TurnAccessGate,
      private readonly open: OpenStreams,
      @Optional() @Inject(TurnStreamFormat) private readonly format: TurnStreamFormat | undefined,
    ) {}

    /** @throws Error if AiModule has no log or no journal */
    onModuleInit(): void {
      const problem = lacksOf(this.streams);
      if (problem) throw new Error(`AiTurnsModule ${problem}`);
    }

    @Get(':id/events')
    async events(@Param('id') id: string, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
      checkId('turn', id);
      const after = lastEventOf(request);
      await this.gate.check(id, 'read', request);
      const reader = await this.streams.read(id, after);
      // An EventSource that gets this does not connect again.
      if (reader.hasEnded) return sendNothing(response);
      void this.open.send(nodeResponseOf(response), SSE_HEADERS, async function* (signal) {
        for await (const batch of reader.batches(signal)) yield batch.map(toBlock).join('');
      });
    }

    @Get(':id/stream')
    async stream(@Param('id') id: string, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
      checkId('turn', id);
      await this.gate.check(id, 'read', request);
      await this.#sendMessage(id, response);
    }

    @Get('conversations/:id/stream')
    async resume(@Param('id') id: string, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
      checkId('conversation', id);
      const turnId = await this.gate.runningTurnOf(id, request);
      if (turnId === undefined) return sendNothing(response);
      await this.#sendMessage(turnId, response);
    }

    @Delete(':id')
    @HttpCode(HttpStatus.NO_CONTENT)
    async stop(@Param('id') id: string, @Req() request: HttpRequest): Promise<void> {
      checkId('turn', id);
      await this.gate.check(id, 'stop', request);
      await this.streams.stop(id);
    }

    async #sendMessage(turnId: string, response: HttpResponse): Promise<void> {
      const { format } = this;
      if (!format) throw new NotImplementedException('This route needs AiUiModule of @nestor-ai/ui. Import it.');
      const reader = await this.streams.read(turnId, 0);
      if (reader.hasEnded) return sendNothing(response);
      void this.open.send(nodeResponseOf(response), format.headers, async function* (signal) {
        for await (const text of format.texts(reader, turnId, signal)) yield `data: ${text}\n\n`;
      });
    }
  }
  return TurnsController;
}

function toBlock({ number, event: { type, ...data } }: NumberedRecordedEvent): string {
  return `id: ${number}\nevent: ${type}\ndata: ${toSafeJson(data)}\n\n`;
}

function sendNothing(response: HttpResponse): void {
  const node = nodeResponseOf(response);
  node.statusCode = HttpStatus.NO_CONTENT;
  node.end();
}
