/* The same application with the AI SDK, by hand. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';
import { tellOfStart } from '../dist/cold-start/milestones.js';
import { servicesOf } from '../dist/cold-start/services.js';
import { ONE_CALL, QUESTION } from '../dist/work.js';
import { turnModelOf } from './language-model.mjs';

const services = servicesOf(z);

class AppModule {}
Module({ providers: services.map(({ type }) => type) })(AppModule);

await tellOfStart(async () => {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const model = turnModelOf(ONE_CALL);
  const tools = Object.fromEntries(
    services.map(({ name, description, schema, type }) => [
      name,
      tool({ description, inputSchema: schema, execute: (input) => app.get(type).run(input) }),
    ]),
  );
  return async () => (await generateText({ model, tools, prompt: QUESTION, stopWhen: isStepCount(20) })).text;
});
