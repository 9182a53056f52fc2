import type { Room } from './rooms.mjs';

/** The text of each source, by its path below `src`. */
type Sources = ReadonlyMap<string, string>;

export function sourcesOf(room: Room): Sources;
export function countLines(sources: Sources): number;
export function countNames(room: Room): number;
export function importsOf(sources: Sources): string[];
export function packageOf(specifier: string): string;
export function findMisplacedImports(sources: Sources, room: Pick<Room, 'folders' | 'container'>): string[];
export function findCircles(sources: Sources): string[][];
/** The files that list packages: their text, and the text that they should have. */
export function listings(): Promise<{ readonly file: string; readonly text: string; readonly expected: string }[]>;
