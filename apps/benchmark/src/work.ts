/* The work that every contestant does, and in which terms it is asked for. */

/** One question with what the model makes of it. */
export interface TurnWork {
  /** How often the model asks for tools before it answers. */
  readonly rounds: number;
  /** How many tools it asks for at once. */
  readonly parallel: number;
  /** How long a tool takes, in milliseconds. */
  readonly toolDelay: number;
  /** How many tools are registered. */
  readonly tools: number;
  /** How many turns with a tool call, four messages each, have gone before. */
  readonly history: number;
}

/** One tool call, then an answer in chunks. */
export interface StreamWork {
  readonly chunks: number;
  /** Each chunk in a turn of the event loop of its own, as from a network; else as fast as it is read. */
  readonly isPaced: boolean;
}

/** Asks the question, and gives the answer. */
export type Ask = () => Promise<string>;

/** Asks the question, tells of the first chunk, and gives the number of chunks of text. */
export type AskStreaming = (onFirst: () => void) => Promise<number>;

export type Texts = () => AsyncIterable<string>;

/** A library, or a loop written by hand, that can do the work. Whatever can be made before the question is made once. */
export interface Contestant {
  readonly name: string;
  /** Undefined for what has none. */
  readonly version?: string | undefined;
  ask(work: TurnWork): Ask | Promise<Ask>;
  stream(work: StreamWork): AskStreaming | Promise<AskStreaming>;
  /** The texts of {@link stream}, for who sends them on. */
  texts?(work: StreamWork): Texts | Promise<Texts>;
}

/** One tool call with one tool, then the answer. */
export const ONE_CALL: TurnWork = { rounds: 1, parallel: 1, toolDelay: 0, tools: 1, history: 0 };

/** How many chunks an endpoint streams. */
export const HTTP_CHUNKS = 50;

export const QUESTION = 'What is the weather in Paris?';
export const FINAL = 'It is 21 degrees in Paris.';
export const TOOL = 'get_weather';
export const ARGUMENTS = '{"city":"Paris"}';
export const chunkText = (index: number): string => `w${index} `;

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until the event loop has gone round. */
export const nextLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What the tool does; it is asynchronous, as nearly every tool is. */
export function weatherAfter(delay: number): (input: { city: string }) => Promise<object> {
  const weather = (city: string): object => ({ city, temperature: 21, conditions: 'sunny' });
  if (delay === 0) return async ({ city }) => weather(city);
  return async ({ city }) => {
    await sleep(delay);
    return weather(city);
  };
}

/** As much of Zod as the schemas need: one library brings a Zod of an older version. */
export interface ZodLike<Schema> {
  object(shape: Record<string, unknown>): Schema;
  string(): { describe(text: string): unknown };
  enum(values: ['c', 'f']): {
    optional(): { describe(text: string): unknown };
    nullable(): { describe(text: string): unknown };
  };
  number(): {
    int(): {
      min(value: number): {
        optional(): { describe(text: string): unknown };
        nullable(): { describe(text: string): unknown };
      };
    };
  };
}

export interface CatalogueTool<Schema> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

/**
 * So many tools, the first of which is called. Each has a schema of its own, as in a real catalogue.
 *
 * @param absent how a schema says that a property may be missing: some libraries know only `nullable`
 */
export function catalogueOf<Schema>(
  count: number,
  z: ZodLike<Schema>,
  absent: 'optional' | 'nullable' = 'optional',
): CatalogueTool<Schema>[] {
  return Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? TOOL : `tool_${index}`,
    description:
      index === 0 ? 'Get the weather of a city' : `Tool number ${index} of the catalogue, which does thing ${index}`,
    schema: z.object({
      city: z.string().describe('The city'),
      unit: z.enum(['c', 'f'])[absent]().describe('The unit'),
      ...(index > 0 && { [`field${index}`]: z.number().int().min(0)[absent]().describe(`Field ${index}`) }),
    }),
  }));
}
