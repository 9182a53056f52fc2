/* The application without us: its services, and a loop written by hand. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { askerOf, modelOf } from '../contestants/bare.js';
import { ONE_CALL } from '../work.js';
import { tellOfStart } from './milestones.js';
import { servicesOf } from './services.js';

const services = servicesOf(z);

@Module({ providers: services.map(({ type }) => type) })
class AppModule {}

await tellOfStart(async () => {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  return askerOf(
    modelOf(ONE_CALL),
    services.map(({ name, description, schema, type }) => ({
      name,
      description,
      schema,
      execute: (input) => app.get(type).run(input),
    })),
  );
});
