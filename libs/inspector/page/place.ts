/** A place on the page, as it is in the address: `#/turns/ID?status=failed`. */
export interface Place {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.slice(1).split('?');
  return { path: path || '/', query: Object.fromEntries(new URLSearchParams(query)) };
}

export function hashOf({ path, query }: Place): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length > 0 ? `#${path}?${new URLSearchParams(given).toString()}` : `#${path}`;
}

/** Where a turn is shown. @param query the filters of the list beside it */
export function turnHash(id: string, query: Place['query'] = {}): string {
  return hashOf({ path: `/turns/${encodeURIComponent(id)}`, query });
}

/** What follows a prefix in a path. Undefined if it is no text. */
export function idIn({ path }: Place, prefix: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  try {
    return decodeURIComponent(path.slice(prefix.length)) || undefined;
  } catch {
    return undefined;
  }
}

/** Goes to a place. `replace`: Back does not come here again. */
export function go(place: Place, isReplaced = false): void {
  if (!isReplaced) {
    location.hash = hashOf(place);
    return;
  }
  history.replaceState(null, '', hashOf(place));
  dispatchEvent(new Event('hashchange'));
}
