import { randomUUID } from 'node:crypto';

/** A process of a service. */
export class ServiceIdentity {
  /** Identifies the process. */
  readonly instance = randomUUID();
  readonly startedAt = Date.now();

  /** @throws TypeError if the name cannot be used */
  constructor(
    readonly service: string,
    readonly namespace: string,
  ) {
    if (!/^[a-z][\w-]*$/i.test(service)) {
      throw new TypeError(
        `The service of RemoteToolServiceModule needs a name of letters, digits, - and _ that starts with a letter, but has '${service}'. Write { service: 'orders' }.`,
      );
    }
  }
}
