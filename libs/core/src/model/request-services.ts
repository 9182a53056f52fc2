declare const TYPE: unique symbol;

/** Names a service of requests, and knows its type. The code that uses a service declares its key. */
export type ServiceKey<T> = symbol & { readonly [TYPE]?: T };

/** @param name unique among all services. Two copies of a package have the same keys */
export function serviceKey<T>(name: string): ServiceKey<T> {
  return Symbol.for(`nestor.service.${name}`);
}

/** The services that an application gives to the requests of a client. */
export class RequestServices {
  readonly #own = new Map<symbol, unknown>();
  #fill: ((services: RequestServices) => void) | undefined;

  /**
   * @param clientName `default` for the client that is injected as `ChatClient`
   * @param others the services that are not set here
   */
  constructor(
    readonly clientName?: string,
    private readonly others?: RequestServices,
  ) {}

  /** Undefined if the application does not have the service. */
  get<T>(key: ServiceKey<T>): T | undefined {
    if (this.#fill) this.fillNow();
    return (this.#own.has(key) ? this.#own.get(key) : this.others?.get(key)) as T | undefined;
  }

  set<T>(key: ServiceKey<T>, service: T | undefined): this {
    this.#own.set(key, service);
    return this;
  }

  /** Adds services when the first one is asked for, and again if that fails. */
  fillLater(fill: (services: RequestServices) => void): this {
    this.#fill = fill;
    return this;
  }

  /** Adds them now, unless that has been done. */
  fillNow(): void {
    const fill = this.#fill;
    this.#fill = undefined;
    try {
      fill?.(this);
    } catch (error) {
      this.#fill = fill;
      throw error;
    }
  }
}
