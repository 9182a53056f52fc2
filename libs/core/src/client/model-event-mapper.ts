import type { Generation, ToolInputDelta } from '../model/chat-response.js';
import { findTool } from '../model/find-tool.js';
import type { ProviderToolCall } from '../model/provider-tool-call.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolUi } from '../model/tool-ui.js';
import { uiOfTool } from '../tool/tool-ui.js';
import { GrowingInput } from './growing-input.js';
import type { ModelEvent } from './model-events.js';

/** The arguments of a call while the model writes them, and what browsers may see of them. */
interface WrittenInput {
  readonly input: GrowingInput;
  readonly ui: ToolUi | undefined;
}

/** Whether a generation has something that {@link ModelEventMapper} reports. */
export function hasModelEvents({ output, toolInput }: Generation): boolean {
  return (toolInput ?? output.providerToolCalls ?? output.sources ?? output.media) !== undefined;
}

/** Converts what a model makes besides text, reasoning and calls of your tools to events. */
export class ModelEventMapper {
  /** The last result of each call of a provider tool, by call id. Undefined until there is one. */
  readonly #results = new Map<string, unknown>();
  #inputs = new Map<string, WrittenInput>();
  #round = 0;

  /** @param tools the tools of the request */
  constructor(
    private readonly tools: readonly ToolCallback[] | undefined,
    private readonly tell: (event: ModelEvent) => void,
  ) {}

  /** @param known the ids of the calls that earlier requests of the turn have told */
  next({ output, toolInput }: Generation, round: number, known: readonly string[]): void {
    if (round !== this.#round) {
      this.#round = round;
      // Some models number the calls of each message from 0.
      this.#inputs = new Map();
    }
    // A call with such an id gets another one when it runs, and readers would take its input for that of the earlier call.
    if (toolInput && !known.includes(toolInput.id)) this.#tellInput(toolInput, round);
    for (const call of output.providerToolCalls ?? []) this.#tellProviderCall(call, round);
    for (const source of output.sources ?? []) this.tell({ type: 'source', source, round });
    for (const media of output.media ?? []) this.tell({ type: 'file', media, round });
  }

  #tellInput({ id, name, delta, isProviderExecuted }: ToolInputDelta, round: number): void {
    let written = this.#inputs.get(id);
    if (!written) {
      const ui = this.#uiOf(name, isProviderExecuted === true);
      this.#inputs.set(id, (written = { input: new GrowingInput(), ui }));
    }
    const { input, ui } = written;
    input.add(delta);
    const { text } = input;
    this.tell({
      type: 'tool-input-delta',
      toolCall: { id, name },
      delta,
      text,
      get input() {
        return input.valueOf(text);
      },
      round,
      ...(isProviderExecuted && { isProviderExecuted }),
      ...(ui && { ui }),
    });
  }

  #tellProviderCall(call: ProviderToolCall, round: number): void {
    const { id, name, arguments: given, result, isError } = call;
    const ui = this.#uiOf(name, true);
    const facts = { toolCall: { id, name, arguments: given }, round, ...(ui && { ui }) };
    if (!this.#results.has(id)) {
      this.#results.set(id, undefined);
      this.tell({ type: 'provider-tool-call', ...facts });
    }
    const isAnswered = result !== undefined || isError === true;
    if (!isAnswered || this.#results.get(id) === (result ?? FAILED)) return;
    this.#results.set(id, result ?? FAILED);
    this.tell({ type: 'provider-tool-result', ...facts, result, ...(isError && { isError }) });
  }

  /** A name that the model made up may contain anything. Calls of the provider have its names. */
  #uiOf(name: string, isProviderExecuted: boolean): ToolUi | undefined {
    const tool = findTool(this.tools, name);
    if (tool) return uiOfTool(tool);
    return isProviderExecuted ? undefined : 'none';
  }
}

/** The result of a call that failed without a reason. */
const FAILED = Symbol('failed');
