/** Error codes of OAuth: never free text. */
const CODE = /^[\w.-]{1,64}$/;

/**
 * An error response of an authorization server with its code only. The SDK writes descriptions of
 * errors to the console, and authorization servers may put anything into them.
 */
export async function quietOAuthError(response: Response): Promise<Response> {
  if (response.ok || !response.headers.get('content-type')?.includes('json')) return response;
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const code = (body as { error?: unknown } | undefined)?.error;
  const error = typeof code === 'string' && CODE.test(code) ? code : 'server_error';
  const kept = new Headers({ 'content-type': 'application/json' });
  // A DPoP nonce comes with an error.
  for (const name of ['dpop-nonce', 'www-authenticate']) if (headers.has(name)) kept.set(name, headers.get(name)!);
  return new Response(JSON.stringify({ error }), { status, headers: kept });
}
