import { connect } from 'node:net';

/** The addresses of the services that the replicas share. */
export interface Services {
  readonly postgres: string;
  readonly redis: string;
}

/**
 * The services of docker-compose.yml, or those of the environment.
 *
 * @throws Error that says how to start a service that cannot be reached
 */
export async function findServices(): Promise<Services> {
  const postgres = process.env.AI_POSTGRES_CONNECTION ?? 'postgres://postgres@127.0.0.1:5432/test';
  const redis = process.env.AI_BULLMQ_CONNECTION ?? 'redis://127.0.0.1:6379';
  const missing = [
    ...((await canReach(postgres, 5432)) ? [] : ['PostgreSQL']),
    ...((await canReach(redis, 6379)) ? [] : ['Redis']),
  ];
  if (missing.length === 0) return { postgres, redis };
  throw new Error(
    `--cluster needs ${missing.join(' and ')}, which cannot be reached. Run docker compose up -d, or set ` +
      'AI_POSTGRES_CONNECTION and AI_BULLMQ_CONNECTION.',
  );
}

function canReach(address: string, defaultPort: number): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) || defaultPort, timeout: 2000 });
    const end = (isReached: boolean): void => {
      socket.destroy();
      resolve(isReached);
    };
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false));
  });
}
