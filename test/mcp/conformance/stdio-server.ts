/* Serves the application of the conformance tests over stdin and stdout. */
import 'reflect-metadata';
import { serveMcpStdio } from '@nestor-ai/mcp';
import { ServerModule } from './server.module.js';

await serveMcpStdio(ServerModule, { logger: ['error', 'warn'] });
