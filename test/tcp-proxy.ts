import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Whether nothing arrives any more, in either direction, and neither side hears of it. */
  isSilent: boolean;
}

/** A TCP proxy on 127.0.0.1 whose network can fail in the ways in which networks do. */
export class TcpProxy {
  readonly #links = new Set<Link>();
  readonly #held: Buffer[] = [];
  #holding: Link | undefined;

  private constructor(private readonly listener: Server) {}

  /** @param target the port of the server on 127.0.0.1 */
  static async open(target: number): Promise<TcpProxy> {
    const listener = createServer();
    const proxy = new TcpProxy(listener);
    listener.on('connection', (client) => proxy.#link(client, connect(target, '127.0.0.1')));
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** The present connections are dropped, as by a NAT or a machine that vanishes. New ones work. */
  silence(): void {
    for (const link of this.#links) link.isSilent = true;
  }

  /** Keeps what the server says over the only connection, until {@link releaseAtEnd}. */
  hold(): void {
    [this.#holding] = this.#links;
  }

  /** Waits until the server has ended that connection, and gives the client all that was kept at once. */
  async releaseAtEnd(): Promise<void> {
    const { client, server } = this.#holding!;
    if (!server.readableEnded) await once(server, 'end');
    this.#holding = undefined;
    client.end(Buffer.concat(this.#held.splice(0)));
  }

  async close(): Promise<void> {
    for (const { client, server } of this.#links) {
      client.destroy();
      server.destroy();
    }
    this.listener.close();
    await once(this.listener, 'close');
  }

  #link(client: Socket, server: Socket): void {
    const link: Link = { client, server, isSilent: false };
    this.#links.add(link);
    client.on('data', (data) => link.isSilent || server.write(data));
    server.on('data', (data) => {
      if (this.#holding === link) this.#held.push(data);
      else if (!link.isSilent) client.write(data);
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.on('end', () => link.isSilent || this.#holding === link || other.end());
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#links.delete(link);
        if (!link.isSilent && this.#holding !== link) other.destroy();
      });
    }
  }
}
