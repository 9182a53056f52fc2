import { type Advisor, isMemoryAdvisor } from '../advisor/advisor.js';
import type { DefaultAdvisorChain } from '../advisor/advisor-chain.js';
import type { AdvisorSpec } from '../advisor/advisor-collector.js';
import { ChatMemory, requireConversationId } from '../memory/chat-memory.js';
import { type ChatOptions, mergeChatOptions } from '../model/chat-options.js';
import { type MessageInput, toMessage } from '../model/messages.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { AdvisorSelection } from './advisor-selection.js';
import type {
  ChatClientRequestSettings,
  ChatClientSettings,
  MessageSource,
  ToolSource,
} from './chat-client-settings.js';
import { type QueuedRequest, toQueuedRequest, withQueuedRequest } from './queued-request.js';
import { PromptSystemSpec, PromptUserSpec, readRequestText, type TemplateRenderer } from './prompt-text.js';
import {
  checkApprovals,
  checkRemembered,
  checkResumption,
  checkToolContext,
  collectAdvisors,
} from './request-checks.js';
import { CallResponseSpec, type PreparedRequest, StreamResponseSpec } from './response.builders.js';
import { refuseJson } from './returned-request.exception.js';
import { asClientSettings, toRequest } from './to-request.js';
import type { ToolSelection } from './tool-selection.js';
import { PRINCIPAL } from '../model/turn-principal.js';
import { type EnqueueOptions, storedTurnsOf, type TurnToContinue, type TurnWorkerFacts } from './stored-turns.js';

/** The shared parts of a client that serve all its requests. */
export interface ChatClientParts {
  readonly tools: ToolSelection;
  readonly advisors: AdvisorSelection;
}

/** The settings of a request that is being built. */
export type RequestDraft = { -readonly [Key in keyof ChatClientRequestSettings]: ChatClientRequestSettings[Key] };

/** Builds a request. You can send it several times and change it in between. */
export class ChatClientRequestSpec<Builder = unknown> {
  #draft: RequestDraft;
  /** Whether the draft is in use. It is then copied before it is changed. */
  #isShared = false;

  /** @param settings the settings of this request alone */
  constructor(
    settings: RequestDraft,
    private readonly parts: ChatClientParts,
    private readonly toBuilder: (settings: ChatClientSettings) => Builder,
  ) {
    this.#draft = settings;
  }

  /**
   * The instructions to the model: a text, which is sent unchanged, or a spec with a template and
   * its parameters.
   */
  system(system: string | ((spec: PromptSystemSpec) => void)): this {
    const draft = this.#own();
    draft.system = readRequestText(draft.system, system, PromptSystemSpec);
    return this;
  }

  /**
   * The user's message: a text, which is sent unchanged, or a spec with a template, its parameters
   * and media.
   */
  user(user: string | ((spec: PromptUserSpec) => void)): this {
    const draft = this.#own();
    draft.user = readRequestText(draft.user, user, PromptUserSpec);
    draft.isSpoken = true;
    return this;
  }

  /** Messages between the system text and the user text. */
  messages(...messages: readonly (MessageInput | readonly MessageInput[])[]): this {
    const draft = this.#own();
    draft.messages = [...draft.messages, ...messages.flat().map(toMessage)];
    draft.isSpoken = true;
    return this;
  }

  /**
   * Like {@link messages}, but read when `call()` or `stream()` is called, since they depend on
   * the advisors of the request.
   */
  messagesFrom(source: MessageSource): this {
    const draft = this.#own();
    draft.messageSource = source;
    draft.isSpoken = true;
    return this;
  }

  /** Options of this request. They override those of the client and the model. */
  options(options: ChatOptions): this {
    const draft = this.#own();
    draft.requestOptions = mergeChatOptions(draft.requestOptions, { ...options });
    return this;
  }

  /**
   * The tools of this request, instead of the client's: tool objects, classes, `ToolCallback`s,
   * `ToolCallbackProvider`s, tools of the provider (`providerTool()`), names, and lists of these.
   * Without arguments: no tools.
   */
  tools(...tools: readonly ToolSource[]): this {
    const draft = this.#own();
    draft.requestTools = draft.requestTools ? [...draft.requestTools, ...tools] : tools;
    return this;
  }

  /**
   * Values of the tools' `ToolContext`. They override those of the client. The model never sees
   * them.
   */
  toolContext(context: Readonly<Record<string, unknown>>): this {
    const draft = this.#own();
    draft.requestToolContext = { ...draft.requestToolContext, ...checkToolContext(context) };
    return this;
  }

  /** Advisors of this request, or a spec that also sets values in their context. */
  advisors(...advisors: readonly (Advisor | readonly Advisor[] | ((spec: AdvisorSpec) => void))[]): this {
    const { advisors: added, params } = collectAdvisors(advisors);
    const draft = this.#own();
    if (added.length > 0) draft.requestAdvisors = [...draft.requestAdvisors, ...added];
    draft.advisorParams = { ...draft.advisorParams, ...params };
    return this;
  }

  /**
   * The conversation of this request: the model sees its earlier messages, and Nestor stores the
   * answer. Needs a memory: `AiModule.forRoot({ memory: true })` or a `MessageChatMemoryAdvisor`.
   *
   * @param id the id of one conversation of one user. Whoever knows an id can read the
   *   conversation: take it from the session, or check its owner.
   * @throws TypeError if the id is not a text or is blank
   */
  conversation(id: string): this {
    const draft = this.#own();
    const conversationId = requireConversationId(id);
    draft.advisorParams = { ...draft.advisorParams, [ChatMemory.CONVERSATION_ID]: conversationId };
    draft.isConversation = true;
    return this;
  }

  /**
   * The caller's request, such as an HTTP request. Request-scoped tools can inject it as
   * `REQUEST`.
   */
  request(request: unknown): this {
    this.#own().callerRequest = request;
    return this;
  }

  /** Fills parameters into the texts of this request. Default: `{name}`. */
  templateRenderer(templateRenderer: TemplateRenderer): this {
    this.#own().templateRenderer = templateRenderer;
    return this;
  }

  /**
   * Resumes a turn that waits for approval of tool calls. Approved calls run. Denied calls don't,
   * and the model is told. Use the same tools as in the suspended request.
   *
   * @param approvals one for each decided call. The turn keeps waiting for the others.
   * @param of the turn, from the response that asked for approval. Default: the turn in which the
   *   calls wait.
   * @throws ToolApprovalException if an approval is incomplete
   */
  toolApprovals(approvals: readonly ToolApproval[], of: { turnId?: string | undefined } = {}): this {
    const draft = this.#own();
    draft.toolApprovals = [...(draft.toolApprovals ?? []), ...checkApprovals(approvals)];
    if (of.turnId !== undefined) draft.suspendedTurnId = of.turnId;
    return this;
  }

  /**
   * Continues a stored turn for the subject that started it, without asking the `ApprovalPolicy`. For
   * workers: a controller that lets a user continue a turn uses {@link toolApprovals}. `TurnRunner` of
   * `@nestor-ai/turns` prepares such a request.
   *
   * @param worker the worker that continues the turn
   */
  continueTurn({ id, requester, conversationId, queued }: TurnToContinue, worker: TurnWorkerFacts = {}): this {
    if (queued) this.#draft = { ...withQueuedRequest(this.#draft, queued.request as unknown as QueuedRequest) };
    else {
      this.toolApprovals([], { turnId: id });
      if (conversationId !== undefined) this.conversation(conversationId);
    }
    this.#own().continued = { id, requester, ...(queued && { entries: queued.entries }), ...worker };
    return this;
  }

  /**
   * Stores the request in the application's `TurnJournal` and hands it to a worker through its
   * `TurnQueue`. With {@link toolApprovals}: stores the decisions, and a worker continues the turn.
   *
   * @returns the id of the turn
   * @throws TypeError if the request has what another process cannot get, such as an advisor object
   * @throws ToolApprovalException if the caller may not decide, or the decisions do not fit
   */
  async enqueue(options: EnqueueOptions = {}): Promise<string> {
    const settings = withCurrentRequest(this.#draft);
    const { toolApprovals, suspendedTurnId, callerRequest } = settings;
    const { services } = settings.runtime;
    const storedTurns = storedTurnsOf(services);
    const requester = services?.get(PRINCIPAL)?.subjectOf(callerRequest);
    if (toolApprovals) {
      checkResumption(settings);
      const seeker = { caller: requester, request: callerRequest, approvals: toolApprovals, turnId: suspendedTurnId };
      return storedTurns.approve(seeker, options);
    }
    const prepared = await this.#prepare().request();
    const request = toQueuedRequest(settings, prepared);
    return storedTurns.enqueue({ client: services!.clientName!, requester, request }, options);
  }

  /** A builder for a client with these settings as defaults. */
  mutate(): Builder {
    return this.toBuilder(asClientSettings(this.#draft));
  }

  /** Returns the answer in one piece. The methods of the returned object send the request. */
  call(): CallResponseSpec {
    return new CallResponseSpec(this.#prepare());
  }

  /**
   * Returns the answer as a stream. Subscribing to an Observable of the returned object sends the
   * request.
   */
  stream(): StreamResponseSpec {
    return new StreamResponseSpec(this.#prepare());
  }

  /** @throws ReturnedRequestException since a request is no answer */
  toJSON(): never {
    return refuseJson('.call().content()');
  }

  #prepare(): PreparedRequest {
    const draft: ChatClientRequestSettings = this.#draft;
    this.#isShared = true;
    checkResumption(draft);
    const chain = this.parts.advisors.chainOf(draft);
    checkRemembered(draft, chain);
    const asked = draft.messageSource ? withMessagesOf(draft.messageSource, draft, chain) : draft;
    const settings = withCurrentRequest(asked);
    return {
      chain,
      observed: settings.observability
        ? { clientName: settings.runtime.clientName, observability: settings.observability }
        : settings.runtime,
      request: () => {
        settings.runtime.ensureReady();
        const tools = this.parts.tools.select(settings);
        return tools instanceof Promise
          ? tools.then((callbacks) => toRequest(settings, callbacks))
          : toRequest(settings, tools);
      },
    };
  }

  #own(): RequestDraft {
    if (this.#isShared) {
      this.#draft = { ...this.#draft };
      this.#isShared = false;
    }
    return this.#draft;
  }
}

/** Read now: the code that consumes a stream may run outside the handler of the request. */
function withCurrentRequest(settings: ChatClientRequestSettings): ChatClientRequestSettings {
  if (settings.callerRequest !== undefined) return settings;
  const callerRequest = settings.runtime.currentRequest();
  return callerRequest === undefined ? settings : { ...settings, callerRequest };
}

function withMessagesOf(
  source: MessageSource,
  settings: ChatClientRequestSettings,
  { advisors }: DefaultAdvisorChain,
): ChatClientRequestSettings {
  const read = source.read({ isRemembered: advisors.some(isMemoryAdvisor), services: settings.runtime.services });
  return { ...settings, messages: [...settings.messages, ...read] };
}
