import type { Observable } from 'rxjs';
import { ChatModel, type ChatOptions, type ChatResponse, type Prompt } from '@nestor-ai/core';
import type { JsonSchema } from '@nestor-ai/schema';
import { CassetteException, type CassetteModel, HOW_TO_RECORD } from './cassette-content.js';
import { CassetteFile } from './cassette-file.js';
import { CassettePlayer } from './cassette-player.js';
import { CassetteRecorder } from './cassette-recorder.js';
import type { RecordModelOptions } from './record-model.js';
import { redactJson, textRedactor } from './redaction.js';
import { requestReader } from './request-reader.js';
import { optionsSnapshot } from './request-snapshot.js';
import { contentHash } from './to-json.js';

/** The model of {@link recordModel}. */
export class RecordedChatModel extends ChatModel {
  override readonly defaultOptions: ChatOptions;
  override readonly supportsStructuredOutput: boolean;
  declare readonly provider?: string;
  declare readonly modelName?: string;
  /** Whether it calls the model and writes the cassette. If not, it replays the cassette. */
  readonly isRecording: boolean;
  /** The real model. Undefined if it replays and was given a function. */
  readonly #model: ChatModel | undefined;
  readonly #deck: CassettePlayer | CassetteRecorder;
  /** What the real model said about output schemas, by the hash of the schema. */
  readonly #outputSchemas: Record<string, boolean> = {};

  constructor(model: ChatModel | (() => ChatModel), file: string | URL, options: RecordModelOptions) {
    super();
    const cassette = new CassetteFile(file);
    const redact = textRedactor(options.redact);
    const read = requestReader(this, redact, options.normalize);
    this.isRecording = shallRecord(options.record, cassette.path);
    let known: ChatModel | CassetteModel;
    if (this.isRecording) {
      const real = (this.#model = typeof model === 'function' ? model() : model);
      this.#deck = new CassetteRecorder(real, read, redact, (interactions) =>
        cassette.write({ model: redactJson(this.#describe(real), redact), interactions }),
      );
      known = real;
    } else {
      const content = cassette.read();
      this.#model = typeof model === 'function' ? undefined : model;
      this.#deck = new CassettePlayer(cassette.path, content.interactions, read);
      Object.assign(this.#outputSchemas, content.model.outputSchemas);
      known = this.#model ?? content.model;
    }
    const { provider, modelName, supportsStructuredOutput, defaultOptions = {} } = known;
    if (provider !== undefined) this.provider = provider;
    if (modelName !== undefined) this.modelName = modelName;
    this.supportsStructuredOutput = supportsStructuredOutput;
    this.defaultOptions = defaultOptions;
  }

  call(prompt: Prompt): Promise<ChatResponse> {
    return this.#deck.call(prompt);
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return this.#deck.stream(prompt);
  }

  override supportsOutputSchema(schema: JsonSchema, options: ChatOptions | undefined): boolean {
    if (!this.isRecording) return this.#outputSchemas[contentHash(schema)] ?? this.supportsStructuredOutput;
    const isSupported = this.#model!.supportsOutputSchema(schema, options);
    if (isSupported !== this.supportsStructuredOutput) this.#outputSchemas[contentHash(schema)] = isSupported;
    return isSupported;
  }

  /** Checks the real model if it records. */
  override verify(): void {
    if (this.isRecording) this.#model!.verify();
  }

  /**
   * Checks that the test has used the whole cassette. Does nothing while it records.
   *
   * @throws CassetteException if interactions are left, or if a request was not the recorded one,
   * which the application may have handled like any error of a model
   */
  assertDone(): void {
    if (this.#deck instanceof CassettePlayer) this.#deck.assertDone();
  }

  #describe({ provider, modelName, supportsStructuredOutput, defaultOptions }: ChatModel): CassetteModel {
    const options = optionsSnapshot(defaultOptions);
    return {
      ...(provider !== undefined && { provider }),
      ...(modelName !== undefined && { modelName }),
      supportsStructuredOutput,
      ...(options && { defaultOptions: options }),
      ...(Object.keys(this.#outputSchemas).length > 0 && { outputSchemas: this.#outputSchemas }),
    };
  }
}

/** @throws CassetteException if the option was left in code that runs in CI */
function shallRecord(record: boolean | undefined, path: string): boolean {
  const { CI, NESTOR_CASSETTES } = process.env;
  const isTold = NESTOR_CASSETTES === 'record';
  const isCi = CI !== undefined && !['', '0', 'false'].includes(CI);
  if (record && !isTold && isCi) {
    throw new CassetteException(
      `recordModel() for '${path}' has the option 'record', which calls the model on every run in CI. Remove it and ` +
        `commit the cassette. To record it anyway, ${HOW_TO_RECORD}.`,
    );
  }
  return record ?? isTold;
}
