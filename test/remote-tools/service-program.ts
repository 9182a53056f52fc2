import type { MicroserviceOptions } from '@nestjs/microservices';
import { AiModule } from '@nestor-ai/core';
import { RemoteToolServiceModule } from '@nestor-ai/remote-tools';
import { NestFactory } from '@nestjs/core';
import { SECRET } from './secret.js';
import { ShopTools } from './shop-tools.js';

/** A process of the service, for tests that kill it. Its arguments: the namespace, and the transports as JSON. */
const [namespace, servers] = process.argv.slice(2);

const root = {
  module: class ServiceProgram {},
  imports: [
    AiModule.forRoot({ properties: { chat: { client: { enabled: false } } } }),
    RemoteToolServiceModule.register({ service: 'shop', namespace: namespace!, secret: SECRET, heartbeat: 100 }),
  ],
  providers: [ShopTools],
};
const app = await NestFactory.create(root, { logger: false });
for (const server of JSON.parse(servers!) as MicroserviceOptions[]) app.connectMicroservice(server);
await app.startAllMicroservices();
process.stdout.write('ready\n');
