import { defer, from, type Observable, type Observer, switchMap, tap } from 'rxjs';
import { toModelFailure } from '../model/chat-model.exception.js';
import type { ChatModel } from '../model/chat-model.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { JsonSchema } from '@nestor-ai/schema';
import { repairHistory } from '../model/repair-history.js';
import { withAddedText } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import { scopeOf } from '../model/scoped-options.js';
import type { AskedModel } from '../model/turn-observer.js';
import type { TurnObservers } from '../model/turn-observers.js';
import { callModel, streamModel } from '../observability/observe-model.js';
import type { CallAdvisor, StreamAdvisor } from './advisor.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { ChatClientContextKeys } from './advisor-params.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { callAgain, type ModelCall, streamAgain } from './model-recovery.js';
import { chosenModelOf, forOtherModel } from './other-model.js';
import { ToolApprovalException } from '../model/tool-approval.exception.js';
import { markedAnswer, readsUntrusted } from './untrusted-answers.js';
import { MODELS, type ModelServices } from '../model/model-services.js';
import { serviceKey } from '../model/request-services.js';

/** Answers in place of all models of a request, for tests. Its prompts stay those for these models. */
export const STAND_IN = serviceKey<ChatModel>('standIn');

/**
 * The last advisor of every chain. It asks the model: that of the client, or the one that the
 * request chooses by name. After a temporary error it asks again if the application says so.
 */
export class ChatModelAdvisor implements CallAdvisor, StreamAdvisor {
  readonly name = 'Chat Model';
  readonly order = ADVISOR_ORDERS.ChatModelAdvisor;

  constructor(private readonly chatModel: ChatModel) {}

  adviseCall(request: ChatClientRequest): Promise<ChatClientResponse> {
    const routed = routedModelOf(request, this.chatModel);
    return routed ? this.#callRouted(routed, request) : this.#call(this.chatModel, request, request);
  }

  adviseStream(request: ChatClientRequest): Observable<ChatClientResponse> {
    const routed = routedModelOf(request, this.chatModel);
    return routed ? this.#streamRouted(routed, request) : this.#stream(this.chatModel, request);
  }

  async #callRouted(routed: Promise<RoutedModel | undefined>, request: ChatClientRequest): Promise<ChatClientResponse> {
    const found = await routed;
    return this.#call(found?.chatModel ?? this.chatModel, found?.request ?? request, request);
  }

  // Apart from adviseStream(), which would allocate the scope of this closure in every request.
  #streamRouted(routed: Promise<RoutedModel | undefined>, request: ChatClientRequest): Observable<ChatClientResponse> {
    return from(routed).pipe(
      switchMap((found) => this.#stream(found?.chatModel ?? this.chatModel, found?.request ?? request, request)),
    );
  }

  /**
   * Not an async function: its frame would hold everything that a retry needs, and each call
   * allocates that frame.
   *
   * @param given the request before the model was chosen
   */
  #call(chatModel: ChatModel, request: ChatClientRequest, given: ChatClientRequest): Promise<ChatClientResponse> {
    const prompt = promptFor(chatModel, request);
    const scope = scopeOf(prompt.options);
    const model = scope?.get(STAND_IN) ?? chatModel;
    const { turn } = scope ?? {};
    const watch = turn?.observers?.modelAsked({ chatModel, prompt, history: turn.history, isStreamed: false });
    const answered = (chatResponse: ChatResponse): ChatClientResponse => {
      try {
        const response = markedAnswer({ chatResponse, context: request.context }, prompt, readsUntrusted(prompt));
        if (response.chatResponse) watch?.next(response.chatResponse);
        watch?.complete();
        return response;
      } catch (error) {
        watch?.error(error);
        throw error;
      }
    };
    return callModel(model, prompt).then(answered, async (error: unknown) =>
      answered(await askAgain({ chatModel: model, prompt, chosen: chosenModelOf(given) }, error, watch)),
    );
  }

  #stream(chatModel: ChatModel, request: ChatClientRequest, given = request): Observable<ChatClientResponse> {
    const { context } = request;
    const prompt = promptFor(chatModel, request);
    const isUntrusted = readsUntrusted(prompt);
    const pack = (chatResponse: ChatResponse): ChatClientResponse =>
      markedAnswer({ chatResponse, context }, prompt, isUntrusted);
    const scope = scopeOf(prompt.options);
    const model = scope?.get(STAND_IN) ?? chatModel;
    const recover =
      scope?.services?.get(MODELS) && streamAgain({ chatModel: model, prompt, chosen: chosenModelOf(given) }, pack);
    const chunks = streamModel(model, prompt, pack, recover);
    const { turn } = scope ?? {};
    if (!turn?.observers) return chunks;
    return watchedStream(chunks, turn.observers, { chatModel, prompt, history: turn.history, isStreamed: true });
  }
}

/** Asks again after a failure, and tells the watch of the last one. */
async function askAgain(
  call: ModelCall,
  failure: unknown,
  watch: Observer<ChatResponse> | undefined,
): Promise<ChatResponse> {
  try {
    return await callAgain(call, failure);
  } catch (thrown) {
    const error = toModelFailure(thrown, call.prompt.options?.signal);
    watch?.error(error);
    throw error;
  }
}

/**
 * The prompt for the model, with a history that every provider accepts and the format of the
 * answer.
 */
function promptFor(chatModel: ChatModel, { prompt, context }: ChatClientRequest): Prompt {
  // The tool loop removes them from the options when it resumes the turn.
  if (prompt.options?.toolApprovals) throw new ToolApprovalException(NO_LOOP);
  const messages = repairHistory(prompt.messages);
  const format = context[ChatClientContextKeys.OUTPUT_FORMAT] as string | undefined;
  if (format === undefined) return messages === prompt.messages ? prompt : Prompt.of(messages, prompt.options);
  const schema = context[ChatClientContextKeys.STRUCTURED_OUTPUT_SCHEMA] as JsonSchema | undefined;
  const isNative = context[ChatClientContextKeys.STRUCTURED_OUTPUT_NATIVE] === true;
  if (isNative && schema && chatModel.supportsOutputSchema(schema, prompt.options)) {
    return Prompt.of(messages, { ...prompt.options, outputSchema: schema });
  }
  const valid = Prompt.of(messages, prompt.options);
  return format === '' ? valid : valid.augmentUserMessage((message) => withAddedText(message, format));
}

const NO_LOOP =
  'Turn on the tool loop for a request with toolApprovals: the loop resumes the turn, but it is turned off by ' +
  'internalToolExecutionEnabled, tool-calling.enabled or toolCallingAdvisorAutoRegister.';

/** A model, and the request as it is meant for it. */
interface RoutedModel {
  readonly chatModel: ChatModel;
  readonly request: ChatClientRequest;
}

/**
 * Finds the model that the request chooses with its option `model`. Undefined for a request that
 * chooses none, and outside an application: the model of the client then reads the option itself.
 */
function routedModelOf(request: ChatClientRequest, current: ChatModel): Promise<RoutedModel | undefined> | undefined {
  const name = chosenModelOf(request);
  if (name === undefined) return undefined;
  const models = scopeOf(request.prompt.options)?.services?.get(MODELS);
  return models && route(request, name, current, models);
}

async function route(
  request: ChatClientRequest,
  name: string,
  current: ChatModel,
  models: ModelServices,
): Promise<RoutedModel | undefined> {
  const chatModel = await models.resolve(name, current);
  if (!chatModel) return undefined;
  if (typeof chatModel.call !== 'function' || typeof chatModel.stream !== 'function') {
    throw new TypeError(`The ModelRouter returned no ChatModel for '${name}'. Return a ChatModel, or undefined.`);
  }
  return { chatModel, request: forOtherModel(request, chatModel) };
}

/** Reports the chunks of each subscription. A subscriber that leaves counts as an abort. */
function watchedStream(
  answer: Observable<ChatClientResponse>,
  observers: TurnObservers,
  asked: AskedModel,
): Observable<ChatClientResponse> {
  return defer(() => {
    const watch = observers.modelAsked(asked);
    if (!watch) return answer;
    return answer.pipe(
      tap({
        next: ({ chatResponse }) => {
          if (chatResponse) watch.next(chatResponse);
        },
        error: (error: unknown) => watch.error(error),
        complete: () => watch.complete(),
        unsubscribe: () => watch.error(new DOMException('The stream was unsubscribed.', 'AbortError')),
      }),
    );
  });
}
