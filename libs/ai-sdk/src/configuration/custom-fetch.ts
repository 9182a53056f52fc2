/** A function like the global `fetch`. */
export type Fetch = typeof globalThis.fetch;

/** The value of `ai.model.proxy` for the proxies in HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export const PROXY_OF_ENVIRONMENT = 'env';

/** What this package uses of `undici`. */
interface Undici {
  readonly fetch: (url: unknown, init: object) => Promise<unknown>;
  readonly ProxyAgent: new (url: string) => object;
  readonly EnvHttpProxyAgent: new () => object;
}

/**
 * A `fetch` that goes through a proxy. The one of Node.js has no setting for it, so the package
 * `undici` is used, which is loaded only here.
 *
 * @param proxy the address of the proxy, or {@link PROXY_OF_ENVIRONMENT}
 * @throws Error that names the package to install if it is missing
 */
export async function fetchThrough(proxy: string): Promise<Fetch> {
  const undici = await loadUndici();
  const dispatcher = proxy === PROXY_OF_ENVIRONMENT ? new undici.EnvHttpProxyAgent() : new undici.ProxyAgent(proxy);
  return ((url: unknown, init?: object) => undici.fetch(url, { ...init, dispatcher })) as Fetch;
}

async function loadUndici(): Promise<Undici> {
  try {
    return (await import('undici')) as unknown as Undici;
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error(
      'The property ai.model.proxy needs the package undici, which is not installed. Run: npm install undici',
      {
        cause,
      },
    );
  }
}

/** In place of a key that a package insists on, although headers or `fetch` carry it. */
export const NO_KEY = 'nestor-no-api-key';

/** Removes the headers with {@link NO_KEY} before a request is sent. */
export function withoutNoKey(send: Fetch = globalThis.fetch): Fetch {
  return (url, init) => {
    const headers = new Headers(init?.headers);
    const unwanted = Array.from(headers).filter(([, value]) => value.includes(NO_KEY));
    for (const [name] of unwanted) headers.delete(name);
    return send(url, { ...init, headers });
  };
}
