import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { ContextIdFactory, NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { TenantStrategy } from './tenant/tenant.strategy.js';

ContextIdFactory.apply(new TenantStrategy());
const app = await NestFactory.create(AppModule);
app.useGlobalPipes(new ValidationPipe());
app.enableShutdownHooks();
await app.listen(process.env.PORT ?? 3000);
