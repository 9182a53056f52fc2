/* The application with us: the methods of its services are tools. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ChatClient, Tool } from '@nestor-ai/core';
import { z } from 'zod';
import { TurnModel } from '../contestants/nestor-models.js';
import { ONE_CALL, QUESTION } from '../work.js';
import { tellOfStart } from './milestones.js';
import { servicesOf } from './services.js';

const services = servicesOf(z);

for (const { name, description, schema, type } of services) {
  const descriptor = Object.getOwnPropertyDescriptor(type.prototype, 'run')!;
  Tool({ name, description, inputSchema: schema as never })(type.prototype as object, 'run', descriptor as never);
}

@Module({
  imports: [AiModule.forRoot({ chatModel: new TurnModel(ONE_CALL) })],
  providers: services.map(({ type }) => type),
})
class AppModule {}

await tellOfStart(async () => {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const client = app.get(ChatClient);
  return () => client.prompt(QUESTION).call().content();
});
