import type { ElicitResult } from '@modelcontextprotocol/client';
import {
  checkInputRequest,
  type ShownInputRequest,
  type ToolDefinition,
  ToolInputRequiredException,
  ToolResult,
  type ToolUserInput,
} from '@nestor-ai/core';

/** How often a server may ask the user during one call. */
const MAX_QUESTIONS = 10;

/** What a server asks for in the middle of a call. Nothing of it is checked yet. */
export interface ServerQuestion {
  /** Finds the answer when the call is sent again. */
  readonly id: string;
  readonly method: unknown;
  readonly params: unknown;
}

/** The questions with which a server interrupts a call. */
export interface AskedInput {
  readonly questions: readonly ServerQuestion[];
  /** How the answers are sent: in the repeated call (2026), or when the server asks again (2025). */
  readonly protocol: 2025 | 2026;
  /** What a server of protocol 2026-07-28 gets back. It may be anything. */
  readonly requestState?: string;
}

/** An answer of the user, as the server gets it. */
export interface ServerAnswer {
  readonly id: string;
  readonly result: ElicitResult;
}

/** What is stored with a suspended turn. It may contain secrets of the server. */
interface DialogState extends Pick<AskedInput, 'protocol' | 'requestState'> {
  /** The server that asked. A guard or an interceptor may have asked with a state of its own. */
  readonly mcp: string;
  /** What the user has not answered yet. The first is asked now. */
  readonly questions: readonly (ShownInputRequest & { readonly id: string })[];
  readonly answers: readonly ServerAnswer[];
  /** How many questions the server has asked in this call. */
  readonly asked: number;
}

/** The questions of a server during one call, and what the user has answered. */
export class CallDialog {
  readonly #state: DialogState;

  constructor(
    private readonly serverName: string,
    private readonly definition: ToolDefinition,
    input: ToolUserInput | undefined,
  ) {
    const state = input?.state as DialogState | undefined;
    this.#state =
      input && state?.mcp === serverName
        ? withAnswer(state, input.content)
        : { mcp: serverName, protocol: 2025, questions: [], answers: [], asked: 0 };
  }

  /** Whether the user has to answer more questions before the call is sent again. */
  get isOpen(): boolean {
    return this.#state.questions.length > 0;
  }

  get protocol(): AskedInput['protocol'] {
    return this.#state.protocol;
  }

  get answers(): readonly ServerAnswer[] {
    return this.#state.answers;
  }

  get requestState(): string | undefined {
    return this.#state.requestState;
  }

  /**
   * Asks the user the next question.
   *
   * @returns an error for the model, if the question cannot be shown
   * @throws ToolInputRequiredException, which suspends the turn
   */
  askNext(): ToolResult {
    return this.#ask(this.#state);
  }

  /**
   * Asks the user what the server asks. All questions are checked before the user sees the first.
   *
   * @returns an error for the model, if a question cannot be shown, or if there are too many
   * @throws ToolInputRequiredException, which suspends the turn
   */
  ask({ questions, protocol, requestState }: AskedInput): ToolResult {
    const asked = this.#state.asked + questions.length;
    if (asked > MAX_QUESTIONS) return this.refuse(`It asked more than ${MAX_QUESTIONS} questions.`);
    const other = questions.some(({ method }) => method !== 'elicitation/create');
    if (other) return this.refuse('It asked for something other than a form or a page.');
    return this.#ask({
      mcp: this.serverName,
      protocol,
      questions: questions.map(({ id, params }) => ({ id, ...toRequest(params) })),
      // The server keeps the answers of earlier rounds in its `requestState`.
      answers: protocol === 2026 ? [] : this.answers,
      ...(requestState !== undefined && { requestState }),
      asked,
    });
  }

  /** An error for the model. It contains no text of the server. */
  refuse(reason: string): ToolResult {
    return new ToolResult({
      text: `The MCP server '${this.serverName}' needs input from the user for the tool '${this.definition.name}', which this application cannot ask for. ${reason}`,
      isError: true,
    });
  }

  #ask(given: DialogState): ToolResult {
    let request;
    try {
      const questions = given.questions.map(({ id, ...question }) => ({ id, ...checkInputRequest(question) }));
      const { id: _id, ...first } = questions[0]!;
      request = checkInputRequest({ ...first, state: { ...given, questions } });
    } catch (error) {
      return this.refuse((error as Error).message);
    }
    throw new ToolInputRequiredException(request);
  }
}

function withAnswer(state: DialogState, content: ToolUserInput['content']): DialogState {
  const [current, ...questions] = state.questions;
  const { id, url } = current!;
  // The user has acted on the page, so there is nothing to send.
  const result = (url === undefined ? { action: 'accept', content } : { action: 'accept' }) as ElicitResult;
  return { ...state, questions, answers: [...state.answers, { id, result }] };
}

/** A missing schema or address becomes one that is refused: without both, core would ask for consent. */
function toRequest(params: unknown): ShownInputRequest {
  const { mode, message, requestedSchema = null, url = null } = (params ?? {}) as Record<string, unknown>;
  return { message, ...(mode === 'url' ? { url } : { schema: requestedSchema }) } as ShownInputRequest;
}
