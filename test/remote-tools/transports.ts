import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type ClientOptions, type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { freePort } from '../free-port.mjs';

/** One transport between a caller and its services. */
export interface TestTransport {
  readonly name: string;
  readonly server: MicroserviceOptions;
  readonly client: ClientOptions;
}

/** Undefined if the services of the machine do not have this transport. */
type Candidate = () => Promise<TestTransport | undefined>;

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function tcp(): Promise<TestTransport> {
  const options = { host: '127.0.0.1', port: await freePort() };
  const transport = Transport.TCP as const;
  return { name: 'TCP', server: { transport, options }, client: { transport, options } };
}

async function ifListening(port: number, make: () => TestTransport): Promise<TestTransport | undefined> {
  return (await isListening(port)) ? make() : undefined;
}

const CANDIDATES: Readonly<Record<string, Candidate>> = {
  TCP: tcp,
  NATS: () =>
    ifListening(4222, () => {
      const options = { servers: ['nats://127.0.0.1:4222'] };
      const transport = Transport.NATS as const;
      return { name: 'NATS', server: { transport, options }, client: { transport, options } };
    }),
  RabbitMQ: () =>
    ifListening(5672, () => {
      const urls = ['amqp://guest:guest@127.0.0.1:5672'];
      const queueOptions = { durable: false, autoDelete: true };
      const options = { urls, queueOptions, persistent: false };
      const transport = Transport.RMQ as const;
      return { name: 'RabbitMQ', server: { transport, options }, client: { transport, options } };
    }),
  Redis: () =>
    ifListening(6379, () => {
      const options = { host: '127.0.0.1', port: 6379 };
      const transport = Transport.REDIS as const;
      return { name: 'Redis', server: { transport, options }, client: { transport, options } };
    }),
};

/** The same transport with a queue of its own, if it has queues. */
export function withOwnQueue({ name, server, client }: TestTransport): TestTransport {
  if (client.transport !== Transport.RMQ) return { name, server, client };
  const { transport } = client;
  const options = { ...client.options, queue: `nestor-test-${randomUUID()}` };
  return { name, server: { transport, options }, client: { transport, options } };
}

/** TCP; in `npm run test:system` all transports of this machine. Says in one line which ones are left out. */
export async function availableTransports(): Promise<TestTransport[]> {
  if (process.env['NESTOR_TEST_TIER'] !== 'system') return [await tcp()];
  const found = await Promise.all(Object.values(CANDIDATES).map((make) => make()));
  const missing = Object.keys(CANDIDATES).filter((_name, index) => !found[index]);
  if (missing.length > 0) {
    process.stderr.write(`Remote tools are not tested over ${missing.join(', ')}: run docker compose up -d first.\n`);
  }
  return found.filter((transport) => transport !== undefined);
}
