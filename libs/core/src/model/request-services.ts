declare const TYPE: unique symbol;

/** Names a service of requests, and knows its type. The code that uses a service declares its key. */
export type ServiceKey<T> = symbol & { readonly [TYPE]?: T };

/** @param name unique among all services. Two copies of a package have the same keys */
export function serviceKey<T>(name: string): ServiceKey<T> {
  return Symbol.for(`nestor.service.${name}`);
}

/** The services that an application gives to the requests of a client. */
export class RequestServices {
  readonly #services: Map<symbol, unknown>;

  /** @param clientName `default` for the client that is injected as `ChatClient` */
  constructor(
    readonly clientName?: string,
    others?: RequestServices,
  ) {
    this.#services = new Map(others && others.#services);
  }

  /** Undefined if the application does not have the service. */
  get<T>(key: ServiceKey<T>): T | undefined {
    return this.#services.get(key) as T | undefined;
  }

  set<T>(key: ServiceKey<T>, service: T | undefined): this {
    this.#services.set(key, service);
    return this;
  }
}
