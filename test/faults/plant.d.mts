import type { Place } from './places.mjs';

export function plant(text: string, places: (Place & { id: number })[]): string;
