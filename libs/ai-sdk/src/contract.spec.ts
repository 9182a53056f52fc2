import { describe, it } from '@jest/globals';
import type { ChatModel } from '@nestor-ai/core';
import {
  chatModelContract,
  type ContractAnswer,
  type ContractContent,
  type ContractRequest,
} from '@nestor-ai/testing/contract';
import { AiSdkChatModel } from './ai-sdk-chat-model.js';
import type { AiSdkLanguageModel } from './language-model.js';
import type {
  CallOptions,
  ContentItem,
  FinishReason,
  GenerateResult,
  SpecificationUsage,
  StreamPart,
} from './specification.js';

/** A language model of the specification that gives the answers of the contract. */
class ContractLanguageModel implements AiSdkLanguageModel {
  readonly provider = 'acme.chat';
  readonly modelId = 'acme-1';
  readonly requests: CallOptions[] = [];

  constructor(
    readonly specificationVersion: 'v3' | 'v4',
    private readonly answers: readonly ContractAnswer[],
  ) {}

  async doGenerate(options: CallOptions): Promise<GenerateResult> {
    const answer = this.#begin(options);
    if (answer.failure?.type === 'slow') await aborted(options.abortSignal);
    const { warnings, headers } = answer;
    const result = {
      content: answer.content.flatMap((piece, at) => itemsOf(piece, at, this.specificationVersion)),
      finishReason: finishOf(answer),
      usage: usageOf(answer),
      response: { id: 'r1', modelId: 'acme-1', headers },
      warnings: warnings ?? [],
    };
    return result;
  }

  async doStream(options: CallOptions): Promise<{ stream: ReadableStream<StreamPart> }> {
    const answer = this.#begin(options);
    const stream = ReadableStream.from(this.#write(answer, options.abortSignal));
    return { stream, response: { headers: answer.headers } } as { stream: ReadableStream<StreamPart> };
  }

  async *#write(answer: ContractAnswer, signal: AbortSignal | undefined): AsyncGenerator<StreamPart> {
    const { failure, warnings = [] } = answer;
    yield { type: 'stream-start', warnings } as StreamPart;
    const items = answer.content.flatMap((piece, at) => itemsOf(piece, at, this.specificationVersion));
    for (const part of items.flatMap(partsOf)) {
      yield part;
      if (failure?.type === 'slow' && part.type.endsWith('-delta')) await aborted(signal);
    }
    if (failure?.type === 'broken') throw new TypeError('terminated');
    yield { type: 'finish', finishReason: finishOf(answer), usage: usageOf(answer) };
  }

  #begin(options: CallOptions): ContractAnswer {
    this.requests.push(options);
    options.abortSignal?.throwIfAborted();
    const question = options.prompt.findLast(({ role }) => role === 'user')?.content as { text: string }[];
    const answer = this.answers.find((candidate) => candidate.question === question[0]?.text);
    if (!answer) throw new Error(`The contract has no answer to '${question[0]?.text}'.`);
    if (answer.failure?.type === 'refused') {
      const { httpStatus, isRetryable } = answer.failure;
      throw Object.assign(new Error('refused'), { name: 'AI_APICallError', statusCode: httpStatus, isRetryable });
    }
    return answer;
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError')));
  });
}

/** The signature that providers such as Anthropic give with reasoning and expect back. */
const SIGNED = { acme: { signature: 'c2lnbmVk' } };

function itemsOf(piece: ContractContent, at: number, version: 'v3' | 'v4'): readonly ContentItem[] {
  switch (piece.type) {
    case 'text':
      return [{ type: 'text', text: piece.text, id: `${at}` } as ContentItem];
    case 'reasoning':
      return [{ type: 'reasoning', text: piece.text, id: `${at}`, providerMetadata: SIGNED } as ContentItem];
    case 'tool-call': {
      const { id, name, arguments: input } = piece.call;
      return [{ type: 'tool-call', toolCallId: id, toolName: name, input }];
    }
    case 'provider-tool-call': {
      const { id: toolCallId, name: toolName, arguments: input, result, isError } = piece.call;
      const call = { type: 'tool-call', toolCallId, toolName, input, providerExecuted: true };
      return [call, { type: 'tool-result', toolCallId, toolName, result, ...(isError && { isError }) } as ContentItem];
    }
    case 'source': {
      const { type, ...source } = piece.source;
      return [{ type: 'source', sourceType: type, ...source } as ContentItem];
    }
    case 'media': {
      const { mimeType, data } = piece.media;
      return [
        { type: 'file', mediaType: mimeType, data: version === 'v3' ? data : { type: 'data', data } } as ContentItem,
      ];
    }
  }
}

/** The events of a part in a stream. Texts come in two pieces. */
function partsOf(item: ContentItem): readonly StreamPart[] {
  const { type, text = '', toolCallId: id, toolName, input = '', providerExecuted } = item;
  if (type === 'text' || type === 'reasoning') {
    const block = { id: (item as { id?: string }).id };
    const middle = Math.ceil(text.length / 2);
    return [
      { type: `${type}-start`, ...block },
      { type: `${type}-delta`, ...block, delta: text.slice(0, middle) },
      { type: `${type}-delta`, ...block, delta: text.slice(middle) },
      { type: `${type}-end`, ...block, providerMetadata: item.providerMetadata },
    ];
  }
  if (type !== 'tool-call') return [item as StreamPart];
  return [
    { type: 'tool-input-start', id, toolName, providerExecuted } as StreamPart,
    { type: 'tool-input-delta', id, delta: input.slice(0, 3) } as StreamPart,
    { type: 'tool-input-delta', id, delta: input.slice(3) } as StreamPart,
    { type: 'tool-input-end', id } as StreamPart,
    item as StreamPart,
  ];
}

function finishOf({ finishReason }: ContractAnswer): FinishReason {
  return { unified: finishReason, raw: finishReason };
}

function usageOf({ usage }: ContractAnswer): SpecificationUsage {
  return {
    inputTokens: { total: usage.promptTokens, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: usage.completionTokens },
  };
}

describe.each(['v3', 'v4'] as const)('AiSdkChatModel over a model of the specification %s', (version) => {
  const models = new WeakMap<ChatModel, ContractLanguageModel>();
  const contract = chatModelContract({
    model(answers, defaultOptions) {
      const languageModel = new ContractLanguageModel(version, answers);
      const model = new AiSdkChatModel(languageModel, defaultOptions);
      models.set(model, languageModel);
      return model;
    },
    requests: (model) =>
      models.get(model)!.requests.map(({ abortSignal, ...request }): ContractRequest => ({
        temperature: request.temperature,
        maxTokens: request.maxOutputTokens,
        body: JSON.stringify(request),
        isAborted: abortSignal?.aborted ?? false,
      })),
  });
  for (const { name, run } of contract) it(name, run);
});
