/*
 * A Nest application with two endpoints, over the contestant that is named: `server.js CONTESTANT`. Prints its port, and serves until it
 * is ended.
 */
import 'reflect-metadata';
import { Controller, Get, Module, Sse } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { from, map, type Observable } from 'rxjs';
import { printResult } from '../children.js';
import { loadContestant } from '../contestants/index.js';
import { HTTP_CHUNKS, ONE_CALL } from '../work.js';

const contestant = await loadContestant(process.argv[2] ?? '');
const ask = await contestant.ask(ONE_CALL);
const texts = await contestant.texts!({ chunks: HTTP_CHUNKS, isPaced: true });

@Controller()
class AskController {
  @Get('answer')
  async answer(): Promise<{ answer: string }> {
    return { answer: await ask() };
  }

  @Sse('stream')
  stream(): Observable<{ data: string }> {
    return from(texts()).pipe(map((data) => ({ data })));
  }
}

@Module({ controllers: [AskController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
printResult({ url: await app.getUrl() });
process.on('SIGTERM', () => process.exit());
process.on('disconnect', () => process.exit());
