/* Serves the application of the conformance tests over HTTP, and prints its address. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ServerModule } from './server.module.js';

const app = await NestFactory.create(ServerModule, { logger: ['error', 'warn'] });
await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
console.log(`listening at ${await app.getUrl()}/mcp`);
