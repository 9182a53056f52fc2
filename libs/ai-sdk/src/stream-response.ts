import { AssistantMessage, ChatModelException, ChatResponse } from '@nestor-ai/core';
import { requireAnswer } from './finish.js';
import { keptMetadata, toToolCall } from './kept-content.js';
import type { ContentItem, FinishReason, StreamPart } from './specification.js';
import { toGenerationMetadata, toResponseMetadata } from './to-response.js';

/** What is said when a stream ends before the model has. */
export const BROKEN_OFF = 'The stream of the model broke off before the answer was complete.';

/** How providers tell that a stream ended without the model saying so: half an answer is no answer. */
function isBrokenOff({ unified, raw }: FinishReason): boolean {
  return unified === 'interrupted' || (unified === 'other' && raw === undefined);
}

/** Turns the events of one stream into chunks of a response. */
export class StreamReader {
  /** Whether the model has said that it is done. */
  isFinished = false;
  readonly #content: ContentItem[] = [];
  /** Blocks of text and of reasoning may interleave; they are told apart by their ids. */
  readonly #open = new Map<string, { type: string; text: string; providerMetadata?: object | undefined }>();
  #response: { id?: string | undefined; modelId?: string | undefined } = {};

  /** @throws ChatModelException, or what the provider gives as an error, for an event that is one */
  read(part: StreamPart): ChatResponse | undefined {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#block(part);
        return undefined;
      case 'text-delta':
        this.#block(part).text += part.delta ?? '';
        return part.delta ? chunk({ text: part.delta }) : undefined;
      case 'reasoning-delta':
        this.#block(part).text += part.delta ?? '';
        return part.delta ? chunk({ reasoning: part.delta }) : undefined;
      case 'text-end':
      case 'reasoning-end':
        this.#block(part);
        this.#open.delete(blockKey(part));
        return undefined;
      case 'tool-call': {
        this.#content.push(part);
        const call = toToolCall(part);
        return call && chunk({ toolCalls: [call] });
      }
      case 'response-metadata':
        this.#response = { id: part.id, modelId: part.modelId };
        return undefined;
      case 'finish':
        return this.#finish(part);
      case 'error':
        throw part.error;
      default:
        return undefined;
    }
  }

  #finish({ finishReason, usage, providerMetadata }: StreamPart): ChatResponse {
    this.isFinished = true;
    if (!finishReason || !usage) throw new ChatModelException('The model ended its stream without saying why.');
    if (isBrokenOff(finishReason)) throw new ChatModelException(BROKEN_OFF, { isRetryable: true });
    requireAnswer(finishReason, this.#content);
    const metadata = keptMetadata(this.#content);
    return new ChatResponse({
      results: [
        { output: new AssistantMessage(metadata ? { metadata } : {}), metadata: toGenerationMetadata(finishReason) },
      ],
      metadata: toResponseMetadata(this.#response, usage, providerMetadata),
    });
  }

  /** The block an event belongs to. Its last metadata is the whole one: a signature comes at the end. */
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

function chunk(init: ConstructorParameters<typeof AssistantMessage>[0]): ChatResponse {
  return new ChatResponse({ results: [{ output: new AssistantMessage(init) }] });
}
