/** A whole application, for a process that must not generate code: writes why it does not start. */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, FunctionToolCallback, Tool } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';

@Injectable()
class Hotel {
  @Tool() rate(stars: number) {
    return stars;
  }
}

@Module({ imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) })], providers: [Hotel] })
class AppModule {}

const told = async (run: () => Promise<unknown>): Promise<string> =>
  run().then(String, (error: unknown) => (error as Error).message);

const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const alone = new FunctionToolCallback({ name: 'alone', inputSchema, toolFunction: () => 'ran' });

process.stdout.write(
  JSON.stringify({
    application: await told(() =>
      NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false }),
    ),
    tool: await told(() => alone.call('{"n":1}')),
  }),
);
