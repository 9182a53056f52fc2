import {
  type ChatClient,
  type ChatClientRequestSpec,
  ChatClients,
  fromMessageJson,
  type ToolApproval,
  type ToolCallback,
  ToolRegistry,
} from '@nestor-ai/core';
import { type CassetteContent, CassetteException, type CassetteTurn } from '../cassette/cassette-content.js';
import { CassetteFile } from '../cassette/cassette-file.js';
import { type Redaction, textRedactor } from '../cassette/redaction.js';
import { recordFollowed } from '../turn/record-turn.js';
import type { RecordedTurn } from '../turn/recorded-turn.js';
import { RecordedTool } from './recorded-tool.js';
import { ReplayedModel } from './replayed-model.js';
import { cassetteOf } from './turn-cassette.js';
import { driftsOf, TurnDriftException } from './turn-drift.js';

/** The options of {@link replayTurn}. */
export interface ReplayTurnOptions {
  /** What guards and tools see as the caller's request, such as `{ user: { id: 1 } }`. */
  readonly request?: unknown;
  /** Who decides about calls that need approval. Default: {@link request}. */
  readonly approver?: unknown;
  /**
   * The tools whose recorded results are used, such as one that sends email, or that tells the time.
   * Neither their code nor their guards run. Default: none.
   */
  readonly recordedTools?: readonly string[];
  /** Replaces what changes with each run, such as dates, in all texts before they are compared. */
  readonly normalize?: (text: string) => string;
  /** What the cassette has removed from texts. See `recordModel()`. */
  readonly redact?: Redaction | readonly Redaction[];
  /**
   * Whether to ask the real model and write the cassette again. Default: whether the environment
   * variable `NESTOR_CASSETTES` is `record`.
   */
  readonly update?: boolean;
}

/** The used part of a Nest application, an application context, or a testing module. */
export interface ReplayingApplication {
  get<T>(token: abstract new (...args: never[]) => T, options: { strict: false }): T;
}

type TurnContent = CassetteContent & { readonly turn: CassetteTurn };

/**
 * Runs a recorded turn again: the model gives the recorded answers, and everything else is real:
 * guards, validation, tools, approvals and advisors. To leave out the code of a tool, use the option
 * `recordedTools`.
 *
 * @param app the initialized application
 * @param file the cassette: a path, relative to the working directory, or a file URL
 * @returns what happened
 * @throws TurnDriftException that shows all differences to the recorded turn
 * @throws CassetteException if the file is no cassette of a turn, its client does not exist, or the
 * turn calls no tool of a name in `recordedTools`
 * @example
 * const turn = await replayTurn(app, 'test/turns/weather.turn.json');
 * expectTurn(turn).toAnswer(/21 degrees/);
 */
export async function replayTurn(
  app: ReplayingApplication,
  file: string | URL,
  options: ReplayTurnOptions = {},
): Promise<RecordedTurn> {
  const cassette = new CassetteFile(file);
  const content = turnContentOf(cassette);
  const client = clientOf(app, cassette.path, content.turn);
  const { known, missing } = await toolsOf(app, content.turn, options);
  const model = new ReplayedModel(cassette.path, content);
  const isUpdate = options.update ?? process.env['NESTOR_CASSETTES'] === 'record';
  const turn = await runAgain(client, content.turn, known, options, isUpdate ? undefined : model);
  if (isUpdate) {
    const { system } = content.turn;
    const redact = options.redact !== undefined && { redact: options.redact };
    cassette.write(cassetteOf(turn, { ownsInstructions: system !== undefined, ...redact }));
    return turn;
  }
  const redact = textRedactor(options.redact);
  const { normalize = (text: string) => text } = options;
  const drifts = driftsOf({
    content,
    turn,
    missingTools: missing,
    unusedAnswers: model.left,
    normalize: (text) => normalize(redact(text)),
  });
  if (drifts.length > 0) throw new TurnDriftException(cassette.path, drifts, turn);
  return turn;
}

function turnContentOf(cassette: CassetteFile): TurnContent {
  const content = cassette.read();
  if (content.turn) return content as TurnContent;
  throw new CassetteException(
    `The cassette '${cassette.path}' has no turn: recordModel() has written it. replayTurn() needs a turn that the ` +
      'inspector or turnCassette() has saved.',
  );
}

function clientOf(app: ReplayingApplication, path: string, { client: name }: CassetteTurn): ChatClient {
  const clients = app.get(ChatClients, { strict: false });
  const client = clients.get(name);
  if (client) return client;
  throw new CassetteException(
    `The turn of '${path}' belongs to the client '${name}', which the application does not have. It has: ` +
      `${clients.names.join(', ') || 'none'}.`,
  );
}

async function toolsOf(
  app: ReplayingApplication,
  { tools, calls }: CassetteTurn,
  { recordedTools = [] }: ReplayTurnOptions,
): Promise<{ readonly known: readonly (string | ToolCallback)[]; readonly missing: readonly string[] }> {
  const called = new Set(calls.map(({ name }) => name));
  const unknown = recordedTools.find((name) => !called.has(name));
  if (unknown !== undefined)
    throw new CassetteException(
      `The option recordedTools has '${unknown}', which the turn does not call. It calls: ${[...called].join(', ') || 'none'}.`,
    );
  const callbacks = await app.get(ToolRegistry, { strict: false }).allCallbacks();
  const byName = new Map(callbacks.map((callback) => [callback.toolDefinition.name, callback] as const));
  const known = tools.flatMap((name): (string | ToolCallback)[] => {
    const tool = byName.get(name);
    return tool ? [recordedTools.includes(name) ? new RecordedTool(tool, calls) : name] : [];
  });
  return { known, missing: tools.filter((name) => !byName.has(name)) };
}

/** Sends the request of a turn, and the decisions that it waits for. */
async function runAgain(
  client: ChatClient,
  { messages, system, toolContext, isStreamed, calls }: CassetteTurn,
  tools: readonly (string | ToolCallback)[],
  { request: asker, approver = asker }: ReplayTurnOptions,
  model: ReplayedModel | undefined,
): Promise<RecordedTurn> {
  const decided = new Set<string>();
  const send = (request: ChatClientRequestSpec, caller: unknown, known?: RecordedTurn): Promise<RecordedTurn> => {
    request.tools(...tools);
    if (toolContext) request.toolContext(toolContext);
    if (caller !== undefined) request.request(caller);
    return recordFollowed(request, { stream: isStreamed }, model ? { standIn: model } : {}, known);
  };
  /** The recorded decisions about the calls that wait. The model of an update may use other ids. */
  const decisionsFor = ({ pending, response }: RecordedTurn): ToolApproval[] =>
    pending.flatMap(({ id, name }): ToolApproval[] => {
      const recorded = calls.find(
        (call) => call.decision && !decided.has(call.id) && (model ? call.id === id : call.name === name),
      );
      if (!recorded) return [];
      decided.add(recorded.id);
      const token = response?.metadata.approvalTokens?.[id];
      const { approved, isChanged } = recorded.decision!;
      const changed = isChanged && { arguments: recorded.arguments };
      return [{ toolCallId: id, approved, ...(token !== undefined && { token }), ...changed }];
    });
  const request = client.prompt().messages(messages.map(fromMessageJson));
  if (system !== undefined) request.system(system);
  let turn = await send(request, asker);
  for (let decisions = decisionsFor(turn); decisions.length > 0; decisions = decisionsFor(turn)) {
    turn = await send(client.prompt().toolApprovals(decisions, { turnId: turn.id }), approver, turn);
  }
  return turn;
}
