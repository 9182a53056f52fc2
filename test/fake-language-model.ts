import type { AssistantMessage, ChatResponse } from '@nestor-ai/core';
import { MessageAggregator, Prompt } from '@nestor-ai/core';
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import { lastValueFrom } from 'rxjs';
import type { AiSdkLanguageModel } from '../libs/ai-sdk/src/language-model.js';
import type {
  AssistantContent,
  CallOptions,
  ContentItem,
  GenerateResult,
  SpecificationWarning,
  StreamPart,
} from '../libs/ai-sdk/src/specification.js';

const usage = {
  inputTokens: { total: 10, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 5, reasoning: 3 },
};
/** A language model of the AI SDK that gives one answer and records its requests. */
export class FakeLanguageModel implements AiSdkLanguageModel {
  readonly modelId = 'fake-1';
  readonly asked: CallOptions[] = [];
  specificationVersion: 'v3' | 'v4' = 'v3';
  provider = 'fake.responses';
  warnings: readonly SpecificationWarning[] = [];
  finishReason = { unified: 'stop', raw: 'end' };

  constructor(
    private readonly content: readonly ContentItem[] = [],
    /** The events of a stream. By default, those that make up the content. */
    private readonly parts: readonly StreamPart[] = content.flatMap(toParts),
  ) {}

  with(
    changes: Partial<Pick<FakeLanguageModel, 'specificationVersion' | 'provider' | 'warnings' | 'finishReason'>>,
  ): this {
    return Object.assign(this, changes);
  }

  async doGenerate(options: CallOptions): Promise<GenerateResult> {
    this.asked.push(options);
    const { content, finishReason, warnings } = this;
    return { content, finishReason, usage, warnings, response: { id: 'r1', headers: { 'x-request-id': 'q1' } } };
  }

  async doStream(options: CallOptions) {
    this.asked.push(options);
    const { parts, finishReason, warnings } = this;
    const stream = new ReadableStream<StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings });
        for (const part of parts) controller.enqueue(part);
        controller.enqueue({ type: 'finish', finishReason, usage });
        controller.close();
      },
    });
    return { stream, response: { headers: { 'x-request-id': 'q1' } } };
  }
}

/** The events with which providers stream a part: blocks in pieces, with their metadata at the end. */
function toParts(item: ContentItem, at: number): StreamPart[] {
  const { type, text, ...rest } = item;
  if (type !== 'text' && type !== 'reasoning') return [item];
  const id = String(at);
  const middle = Math.ceil((text ?? '').length / 2);
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text!.slice(0, middle) },
    { type: `${type}-delta`, id, delta: text!.slice(middle) },
    { ...rest, type: `${type}-end`, id },
  ];
}

/** The ways to ask a model for the whole answer. */
export const wholeAnswers: readonly (readonly [
  how: 'call' | 'stream',
  ask: (model: AiSdkLanguageModel) => Promise<ChatResponse>,
])[] = [
  ['call', (model) => new AiSdkChatModel(model).call(new Prompt('U'))],
  [
    'stream',
    async (model) => {
      let whole: ChatResponse | undefined;
      const stream = new AiSdkChatModel(model).stream(new Prompt('U'));
      await lastValueFrom(new MessageAggregator().aggregate(stream, (response) => (whole = response)));
      return whole!;
    },
  ],
];

/** What a model receives of an earlier answer. */
export async function sentBack(
  message: AssistantMessage,
  changes: Partial<Pick<FakeLanguageModel, 'specificationVersion' | 'provider'>> = {},
): Promise<AssistantContent> {
  const model = new FakeLanguageModel().with(changes);
  await new AiSdkChatModel(model).call(new Prompt([message]));
  return model.asked[0]!.prompt[0]!.content as AssistantContent;
}
