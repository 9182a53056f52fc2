import { catalogueOf, ONE_CALL, weatherAfter } from '../work.js';
import { z } from 'zod';

/** How many chunks the stream has. */
export const CHUNKS = 2000;

/** What every contestant does over the wire. */
export interface WireContestant {
  readonly name: string;
  /** Asks the question and runs the tool that the model asks for. Gives the answer. */
  turn(): Promise<string>;
  /** Gives the number of chunks of text. */
  stream(): Promise<number>;
}

/** Creates a contestant that asks the server at this address. */
export type CreateWireContestant = (baseURL: string) => WireContestant | Promise<WireContestant>;

const [catalogueTool] = catalogueOf<z.ZodType>(1, z);

/** The tool: for all the same JSON schema, converted once. */
export const tool = {
  name: catalogueTool!.name,
  description: catalogueTool!.description,
  parameters: z.toJSONSchema(catalogueTool!.schema, { io: 'input' }) as Record<string, unknown>,
  run: weatherAfter(ONE_CALL.toolDelay),
};
