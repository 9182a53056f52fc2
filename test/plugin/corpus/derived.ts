// Types derived from values: `as const`, keyof and typeof.

const UNITS = ['celsius', 'fahrenheit'] as const;
const PORTS = { http: 80, https: 443 } as const;
const SAMPLE = { name: 'x', size: 1, tags: ['a'], nested: { on: true } };

export type UnitOf = (typeof UNITS)[number];
export type AllUnits = typeof UNITS;
export type PortName = keyof typeof PORTS;
export type Port = (typeof PORTS)[PortName];
export type Ports = typeof PORTS;
export type Sample = typeof SAMPLE;
export type SampleSize = (typeof SAMPLE)['size'];
export type FirstUnit = (typeof UNITS)[0];
export type PortByUnit = { [U in UnitOf]?: Port };
export type Entry = { [K in PortName]: { name: K; port: (typeof PORTS)[K] } }[PortName];
export const defaults = { unit: 'celsius', retries: 3 } satisfies { unit: UnitOf; retries: number };
export type DefaultOptions = typeof defaults;
export type Satisfied = Pick<typeof defaults, 'unit'>;
