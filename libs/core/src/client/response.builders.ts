import { defer, from, type Observable, type Subscriber, type Subscription, switchMap, tap } from 'rxjs';
import type { DefaultAdvisorChain } from '../advisor/advisor-chain.js';
import { ChatClientContextKeys } from '../advisor/advisor-params.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisor/chat-client-exchange.js';
import {
  type EntityType,
  type PrimitiveType,
  toOutputConverter,
  type ValueOf,
} from '../advisor/structured-output/entity-output-converter.js';
import type { StructuredOutputConverter } from '../advisor/structured-output/structured-output-converter.js';
import { StructuredOutputValidationAdvisor } from '../advisor/structured-output/structured-output-validation-advisor.js';
import { scopeOf } from '../model/scoped-options.js';
import { isPromise } from '../model/awaitable.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { JsonSchema, StandardSchema, Type } from '@nestor-ai/schema';
import { streamOf } from '../model/stream-of.js';
import { EntitySpec } from './entity-options.js';
import { type PartialEntity, GrowingEntity, requireAnswer } from './growing-entity.js';
import { callObserved, type ObservedClient, streamObserved } from './observed-request.js';
import { type ChatClientEvent, EventMapper } from './response-events.js';
import { ResponseStream } from './response-stream.js';
import { refuseJson, refuseRouteWithoutSse } from './returned-request.exception.js';

/** A request that is ready to be sent, any number of times. */
export interface PreparedRequest {
  readonly chain: DefaultAdvisorChain;
  /** Returns a promise only if tools have to be looked up. */
  readonly request: () => ChatClientRequest | Promise<ChatClientRequest>;
  /** The name of the client, if it has one, and what telemetry may show of its requests. */
  readonly observed: ObservedClient;
}

/** The options of `stream().events()`. */
export interface EventsOptions {
  /**
   * Called when all events except `finish` were emitted, before the `TurnJournal` records that the
   * turn has ended or waits for a decision. The turn waits for it. Must not throw. For what has to
   * outlive a crash.
   */
  readonly beforeEnd?: () => Promise<void>;
  /**
   * Called when the request holds its stored turn, with a number that is greater for each request that
   * does. A log of events, for example, can refuse what a request with a smaller number writes.
   */
  readonly onHold?: (fence: number) => void;
}

/** An answer as a value, together with the response of the model. */
export interface ResponseEntity<T> {
  readonly response: ChatResponse;
  readonly entity: T;
}

type EntityOptions = (spec: EntitySpec) => void;
type EntityClass = Type<unknown> | PrimitiveType | MapConstructor;
type Described<T> = StandardSchema<unknown, T> | StructuredOutputConverter<T>;

/** The answer in one piece. Each method sends the request again. */
export class CallResponseSpec {
  constructor(private readonly prepared: PreparedRequest) {}

  /**
   * The text of the answer. Empty if there is none, for example while tool calls wait for
   * approval. `chatResponse()` shows the reason.
   */
  content(): Promise<string> {
    return awaited(ask(this.prepared).then(({ chatResponse }) => chatResponse?.text ?? ''));
  }

  /** The answer with its metadata. Undefined if an advisor answered without a model. */
  chatResponse(): Promise<ChatResponse | undefined> {
    return awaited(ask(this.prepared).then(({ chatResponse }) => chatResponse));
  }

  /** The answer with the values that advisors put into the context. */
  chatClientResponse(): Promise<ChatClientResponse> {
    return awaited(ask(this.prepared));
  }

  /**
   * The answer as a value: an instance of a class, a list of them (`[Actor]`), a value that
   * matches a Standard Schema or JSON Schema, a `Map`, or the result of a converter. The prompt
   * describes the format to the model.
   *
   * @throws StructuredOutputException if there is no answer or it does not have the format
   */
  entity<Class extends EntityClass>(type: readonly [Class], spec?: EntityOptions): Promise<ValueOf<Class>[]>;
  entity<T>(type: Described<T>, spec?: EntityOptions): Promise<T>;
  entity<Class extends EntityClass>(type: Class, spec?: EntityOptions): Promise<ValueOf<Class>>;
  entity<T = unknown>(type: JsonSchema, spec?: EntityOptions): Promise<T>;
  entity(type: object, spec?: EntityOptions): Promise<unknown> {
    return awaited(this.#entity(type, spec).then(({ entity }) => entity));
  }

  /**
   * Like {@link entity}, together with the response of the model.
   *
   * @throws StructuredOutputException if there is no answer or it does not have the format
   */
  responseEntity<Class extends EntityClass>(
    type: readonly [Class],
    spec?: EntityOptions,
  ): Promise<ResponseEntity<ValueOf<Class>[]>>;
  responseEntity<T>(type: Described<T>, spec?: EntityOptions): Promise<ResponseEntity<T>>;
  responseEntity<Class extends EntityClass>(type: Class, spec?: EntityOptions): Promise<ResponseEntity<ValueOf<Class>>>;
  responseEntity<T = unknown>(type: JsonSchema, spec?: EntityOptions): Promise<ResponseEntity<T>>;
  responseEntity(type: object, spec?: EntityOptions): Promise<ResponseEntity<unknown>> {
    return awaited(this.#entity(type, spec));
  }

  /** @throws ReturnedRequestException since a request is no answer */
  toJSON(): never {
    return refuseJson('.content()');
  }

  async #entity(type: object, spec: EntityOptions | undefined): Promise<ResponseEntity<unknown>> {
    const converter = toOutputConverter(type as EntityType);
    const { chatResponse } = await ask(withForm(this.prepared, converter, spec));
    return { response: chatResponse!, entity: await converter.convert(requireAnswer(chatResponse)) };
  }
}

/**
 * The answer as a stream. Each subscription and each loop sends the request again. Unsubscribing
 * or leaving the loop aborts the model call and the running tools.
 */
export class StreamResponseSpec {
  constructor(private readonly prepared: PreparedRequest) {}

  /** The text of all rounds, in chunks. */
  content(): ResponseStream<string> {
    return this.#parts(({ chatResponse }, subscriber) => {
      const text = chatResponse?.text;
      if (text) subscriber.next(text);
    });
  }

  /** The chunks of all rounds with their metadata. */
  chatResponse(): ResponseStream<ChatResponse> {
    return this.#parts(({ chatResponse }, subscriber) => {
      if (chatResponse) subscriber.next(chatResponse);
    });
  }

  /** The chunks with the values that advisors put into the context. */
  chatClientResponse(): ResponseStream<ChatClientResponse> {
    return this.#parts((response, subscriber) => subscriber.next(response));
  }

  /**
   * All events: text, reasoning, tool calls with their progress and results, usage, and the end.
   */
  events({ beforeEnd, onHold }: EventsOptions = {}): ResponseStream<ChatClientEvent> {
    return new ResponseStream((subscriber) => {
      refuseRouteWithoutSse();
      const mapper = new EventMapper(subscriber);
      const watched = withRequest(this.prepared, (request) => {
        // Each subscription needs its own instance.
        mapper.follow(request);
        const scope = scopeOf(request.prompt.options)!;
        if (beforeEnd) scope.onTurn((turn) => turn.observe({ turnEnds: beforeEnd }));
        if (onHold && scope.holds) scope.holds.onHold = onHold;
        return request;
      });
      return subscribe(
        watched,
        subscriber,
        (response) => mapper.next(response),
        () => mapper.complete(),
      );
    });
  }

  /**
   * The answer as a value that grows with the text. The last value is complete and validated. See
   * `call().entity()` for the possible arguments. With `schemaValidation()`, the stream emits
   * nothing before the answer is valid.
   *
   * @throws StructuredOutputException at the end, if there is no answer or it does not have the
   *   format
   */
  entity<Class extends EntityClass>(
    type: readonly [Class],
    spec?: EntityOptions,
  ): ResponseStream<PartialEntity<ValueOf<Class>[]>>;
  entity<T>(type: Described<T>, spec?: EntityOptions): ResponseStream<PartialEntity<T>>;
  entity<Class extends EntityClass>(type: Class, spec?: EntityOptions): ResponseStream<PartialEntity<ValueOf<Class>>>;
  entity<T = unknown>(type: JsonSchema, spec?: EntityOptions): ResponseStream<PartialEntity<T>>;
  entity(type: object, spec?: EntityOptions): ResponseStream<unknown> {
    const converter = toOutputConverter(type as EntityType);
    const prepared = withForm(this.prepared, converter, spec);
    const values = streamOf((output) => new GrowingEntity(converter, output).follow(responsesOf(prepared)));
    return new ResponseStream((subscriber) => values.subscribe(subscriber));
  }

  /** @throws ReturnedRequestException since a request is no answer */
  toJSON(): never {
    return refuseJson('.call().content() in place of .stream()');
  }

  #parts<T>(next: (response: ChatClientResponse, subscriber: Subscriber<T>) => void): ResponseStream<T> {
    return new ResponseStream((subscriber) => {
      refuseRouteWithoutSse();
      return subscribe(this.prepared, subscriber, (response) => next(response, subscriber));
    });
  }
}

const NO_JSON = { value: () => refuseJson('await') };

/** Refuses to be JSON, which Nest makes of an object that a handler returns with this promise. */
function awaited<T>(answer: Promise<T>): Promise<T> {
  return Object.defineProperty(answer, 'toJSON', NO_JSON);
}

function ask({ chain, request, observed }: PreparedRequest): Promise<ChatClientResponse> {
  try {
    const made = request();
    const call = (ready: ChatClientRequest): Promise<ChatClientResponse> => callObserved(chain, ready, observed);
    return isPromise(made) ? made.then(call) : call(made);
  } catch (error) {
    return Promise.reject(error);
  }
}

function responsesOf({ chain, request, observed }: PreparedRequest): Observable<ChatClientResponse> {
  return defer(() => {
    const made = request();
    const stream = (ready: ChatClientRequest): Observable<ChatClientResponse> => streamObserved(chain, ready, observed);
    return isPromise(made) ? from(made).pipe(switchMap(stream)) : stream(made);
  });
}

/** Sends a request. An error that `next` throws ends the stream. */
function subscribe(
  prepared: PreparedRequest,
  subscriber: Subscriber<never>,
  next: (response: ChatClientResponse) => void,
  complete = () => subscriber.complete(),
): Subscription {
  return responsesOf(prepared)
    .pipe(tap(next))
    .subscribe({ error: (reason: unknown) => subscriber.error(reason), complete });
}

/** Adds the format to the prompt and, if requested, validates the answer. */
function withForm(
  prepared: PreparedRequest,
  converter: StructuredOutputConverter<unknown>,
  options: EntityOptions | undefined,
): PreparedRequest {
  const spec = new EntitySpec();
  options?.(spec);
  const { isNative, isValidated } = spec.collected();
  const schema = converter.getJsonSchema?.();
  const form = {
    [ChatClientContextKeys.OUTPUT_FORMAT]: converter.getFormat(),
    ...(schema && { [ChatClientContextKeys.STRUCTURED_OUTPUT_SCHEMA]: schema }),
    ...(isNative && { [ChatClientContextKeys.STRUCTURED_OUTPUT_NATIVE]: true }),
  };
  const chain = isValidated
    ? prepared.chain.with(new StructuredOutputValidationAdvisor({ outputType: converter }))
    : prepared.chain;
  const told = withRequest(prepared, (request) => ({ ...request, context: { ...request.context, ...form } }));
  return { ...told, chain };
}

function withRequest(
  prepared: PreparedRequest,
  change: (request: ChatClientRequest) => ChatClientRequest,
): PreparedRequest {
  return {
    ...prepared,
    request: () => {
      const made = prepared.request();
      return isPromise(made) ? made.then(change) : change(made);
    },
  };
}
