import {
  AssistantMessage,
  type AssistantMessageInit,
  ChatModelException,
  ChatResponse,
  type ToolInputDelta,
} from '@nestor-ai/core';
import { requireAnswer } from './finish.js';
import { approvalIdsIn, keptMetadata } from './kept-content.js';
import { toModelWarnings } from './model-warnings.js';
import type { ContentItem, FinishReason, ResponseInfo, SpecificationWarning, StreamPart } from '../specification.js';
import { toMessagePart } from './to-assistant-message.js';
import { ToolInputs } from './tool-input.js';
import { toGenerationMetadata, toResponseMetadata } from './to-response.js';

/** The error message for a stream that ends before the answer is complete. */
export const BROKEN_OFF = "The model's stream broke off before the answer was complete.";

const SILENT = new AssistantMessage();

/** Providers report an interrupted stream in these ways. Half an answer is not an answer. */
function isBrokenOff({ unified, raw }: FinishReason): boolean {
  return unified === 'interrupted' || (unified === 'other' && raw === undefined);
}

/** Converts the events of a stream to chunks of a response. */
export class StreamReader {
  /** Whether the model has finished its answer. */
  isFinished = false;
  /** What the provider reports about the request. */
  warnings: readonly SpecificationWarning[];
  readonly #content: ContentItem[] = [];
  /** Blocks of text and reasoning may interleave. Their ids distinguish them. */
  readonly #open = new Map<string, { type: string; text: string; providerMetadata?: object | undefined }>();
  #inputs: ToolInputs | undefined;
  /** The provider's calls that the next events may turn into ones that need approval. */
  #undecided: readonly ContentItem[] | undefined;
  #response: ResponseInfo;

  /**
   * @param provider the `provider` of the language model
   * @param known the HTTP headers of the response, and warnings about the request
   * @param emit receives the chunks
   */
  constructor(
    private readonly provider: string,
    {
      headers,
      warnings,
    }: {
      readonly headers: Readonly<Record<string, string>> | undefined;
      readonly warnings: readonly SpecificationWarning[];
    },
    private readonly emit: (chunk: ChatResponse) => void,
  ) {
    this.#response = { headers };
    this.warnings = warnings;
  }

  /** @throws ChatModelException, or the error from the provider if the event is one */
  read(part: StreamPart): void {
    if (this.#undecided) this.#decide(this.#undecided, part);
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#block(part);
        return;
      case 'text-delta':
        this.#block(part).text += part.delta ?? '';
        if (part.delta) this.#emit({ text: part.delta });
        return;
      case 'reasoning-delta':
        this.#block(part).text += part.delta ?? '';
        if (part.delta) this.#emit({ reasoning: part.delta });
        return;
      case 'text-end':
      case 'reasoning-end':
        this.#block(part);
        this.#open.delete(blockKey(part));
        this.#emit(toMessagePart(part));
        return;
      case 'tool-input-start':
        this.#inputs ??= new ToolInputs();
        return this.#emitInput(this.#inputs.start(part));
      case 'tool-input-delta':
      case 'tool-input-end':
        return this.#emitInput(this.#inputs?.delta(part));
      case 'tool-call':
        return this.#addCall(part);
      case 'tool-result':
        if (!part.preliminary) this.#content.push(part);
        this.#emit(toMessagePart(part));
        return;
      case 'tool-approval-request':
        return this.#addApproval(part);
      case 'file':
      case 'reasoning-file':
      case 'source':
      case 'custom':
        this.#content.push(part);
        this.#emit(toMessagePart(part));
        return;
      case 'stream-start':
        if (part.warnings?.length) this.warnings = [...this.warnings, ...part.warnings];
        return;
      case 'response-metadata':
        this.#response = { ...this.#response, id: part.id, modelId: part.modelId };
        return;
      case 'finish':
        return this.#finish(part);
      case 'error':
        throw part.error;
      default:
    }
  }

  #addCall(call: StreamPart): void {
    this.#content.push(call);
    // Only dynamic tools, those of the provider's MCP servers, need the provider's approval.
    if (!call.providerExecuted || !call.dynamic) return this.#emit(toMessagePart(call));
    this.#undecided = [...(this.#undecided ?? []), call];
    const { toolCallId: id = '', toolName: name = '', input: delta = '' } = call;
    if (!this.#inputs?.has(id)) this.#emitInput({ id, name, delta, isProviderExecuted: true });
  }

  /** Calls that the next events do not ask to approve are ones that the provider runs. */
  #decide(calls: readonly ContentItem[], { type, toolCallId, dynamic }: StreamPart): void {
    if (type === 'tool-call' && dynamic) return;
    const left = type === 'tool-approval-request' ? calls.filter((call) => call.toolCallId !== toolCallId) : [];
    this.#undecided = left.length > 0 ? left : undefined;
    if (type === 'tool-approval-request') return;
    for (const call of calls) this.#emit(toMessagePart(call));
  }

  #addApproval(request: StreamPart): void {
    const { toolCallId, approvalId } = request;
    this.#content.push(request);
    const call = this.#content.find((item) => item.type === 'tool-call' && item.toolCallId === toolCallId);
    if (call) this.#emit(toMessagePart(call, approvalId));
  }

  #finish({ finishReason, usage, providerMetadata }: StreamPart): void {
    this.isFinished = true;
    if (!finishReason || !usage) throw new ChatModelException('The model ended its stream without a finish reason.');
    if (isBrokenOff(finishReason)) throw new ChatModelException(BROKEN_OFF, { isRetryable: true });
    requireAnswer(finishReason, this.#content);
    const metadata = keptMetadata(this.#content, approvalIdsIn(this.#content), this.provider);
    const output = metadata ? new AssistantMessage({ metadata }) : SILENT;
    this.emit(
      new ChatResponse({
        results: [{ output, metadata: toGenerationMetadata(finishReason) }],
        metadata: toResponseMetadata(this.#response, usage, providerMetadata, toModelWarnings(this.warnings)),
      }),
    );
  }

  #emit(init: AssistantMessageInit | undefined): void {
    if (init) this.emit(new ChatResponse({ results: [{ output: new AssistantMessage(init) }] }));
  }

  #emitInput(toolInput: ToolInputDelta | undefined): void {
    if (toolInput) this.emit(new ChatResponse({ results: [{ output: SILENT, toolInput }] }));
  }

  /**
   * The block of an event. Metadata is complete at its last event, because a signature comes at
   * the end.
   */
  #block(part: StreamPart): { text: string } {
    const key = blockKey(part);
    let block = this.#open.get(key);
    if (!block) {
      block = { type: part.type.slice(0, part.type.lastIndexOf('-')), text: '' };
      this.#open.set(key, block);
      this.#content.push(block);
    }
    if (part.providerMetadata) block.providerMetadata = { ...block.providerMetadata, ...part.providerMetadata };
    return block;
  }
}

function blockKey({ type, id }: StreamPart): string {
  return `${type.slice(0, type.lastIndexOf('-'))}:${id ?? ''}`;
}
