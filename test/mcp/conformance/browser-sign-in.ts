import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

const REDIRECT_URL = 'http://localhost:3000/callback';

/**
 * The sign-in of one user, who agrees at once: it follows the redirect as a browser does. It keeps
 * what it knows of the authorization server until the sign-in ends, so that the SDK notices if the
 * server has another one later.
 */
export class BrowserSignIn implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URL;
  readonly clientMetadata = { client_name: 'conformance', redirect_uris: [REDIRECT_URL] };
  readonly clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;
  #callback: URLSearchParams | undefined;

  /** @param registered a client that was registered before */
  constructor(registered: { readonly client_id: string; readonly client_secret?: string } | undefined) {
    this.#client = registered;
  }

  /** The query with which the authorization server has sent the browser back. Read once. */
  takeCallback(): URLSearchParams | undefined {
    const callback = this.#callback;
    this.#callback = undefined;
    return callback;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { headers } = await fetch(url, { redirect: 'manual' });
    this.#callback = new URL(headers.get('location')!).searchParams;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
    this.#discovery = undefined;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const isGone = (part: typeof scope): boolean => scope === 'all' || scope === part;
    if (isGone('client')) this.#client = undefined;
    if (isGone('tokens')) this.#tokens = undefined;
    if (isGone('verifier')) this.#verifier = '';
    if (isGone('discovery')) this.#discovery = undefined;
  }
}
