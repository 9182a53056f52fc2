import { LLMock } from '@copilotkit/aimock';

/** A server that answers in the protocol of any provider, on a free port. */
export class StandInServer extends LLMock {
  constructor() {
    super({ host: '127.0.0.1', port: 0 });
  }

  /** A connection on which no request was sent, since its caller gave up, would keep the server open for ever. */
  override async stop(): Promise<void> {
    const stopped = super.stop();
    this['serverInstance']?.server.closeAllConnections();
    await stopped;
  }
}
