import { useEffect, useState } from 'preact/hooks';

/** A place on the page: `#/turns/ID?status=failed`. */
export interface Place {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export function hashOf({ path, query }: Place): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length > 0 ? `#${path}?${new URLSearchParams(given).toString()}` : `#${path}`;
}

/** The place in the address, and the page follows when it changes. */
export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = (): void => setHash(location.hash);
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  const [path = '', query = ''] = hash.slice(1).split('?');
  return { path: path || '/', query: Object.fromEntries(new URLSearchParams(query)) };
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
