import { z } from 'zod';

/** How many tools are listed. */
export const TOOLS = 1000;

/** The tool that is called. */
export const ADD = {
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }: { a: number; b: number }): string => `${a} and ${b} make ${a + b}.`,
};

/** The other tools, which are only listed: nine parameters each. */
export const OTHERS = Array.from({ length: TOOLS - 1 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Tool ${index}`,
  inputSchema: z.object(Object.fromEntries('abcdefghi'.split('').map((name) => [name, z.string().max(20).optional()]))),
}));
