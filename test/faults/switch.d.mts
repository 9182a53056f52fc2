export function faultSwitch(active: number, reach: (id: number) => void): (id: number, operand?: unknown) => boolean;
