/** A port of 127.0.0.1 that no server uses now. */
export function freePort(): Promise<number>;
