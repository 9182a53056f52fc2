import { mediaTurns } from './media-turns.js';
import { plainTurns } from './plain-turns.js';
import { providerTurns } from './provider-turns.js';
import { toolTurns } from './tool-turns.js';
import type { Turn } from './turn.js';

const turns = { ...plainTurns, ...toolTurns, ...mediaTurns, ...providerTurns };

export type TurnName = keyof typeof turns;
export const TURNS: Readonly<Record<TurnName, Turn>> = turns;
