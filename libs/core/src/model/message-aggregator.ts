import { defer, type Observable, tap } from 'rxjs';
import {
  ChatResponse,
  type ChatResponseMetadata,
  ENDED_EARLY,
  type Generation,
  type GenerationMetadata,
} from './chat-response.js';
import type { Media } from './content-part.js';
import { FinishReason } from './finish-reason.js';
import { AssistantMessage, type MessageMetadata, type ToolCall } from './messages.js';
import { mergeProviderToolCalls, type ProviderToolCall, type Source } from './provider-tool-call.js';
import { hasUsage, laterUsage, type Usage } from './usage.js';

/**
 * Finish reasons set by the tool loop. Such an answer replaces what the model wrote in that round.
 */
const OF_LOOP: ReadonlySet<string> = new Set([FinishReason.RETURN_DIRECT, FinishReason.TOOL_CALL_LIMIT_EXCEEDED]);

/**
 * Combines the chunks of a streamed answer. For a turn with several rounds the result is the
 * answer of the last round, as with a call. Only a turn that ended early contains the text of all
 * rounds.
 */
export class ChatResponseAggregation {
  #first: GenerationAggregation | undefined;
  /** The generations after the first. */
  #others: GenerationAggregation[] | undefined;
  #round: number | undefined;
  /** The texts of the previous rounds. */
  #said: string[] | undefined;
  #metadata: ChatResponseMetadata | undefined;
  #usage: Usage | undefined;
  #any = false;

  add(chunk: ChatResponse): void {
    const { results, metadata } = chunk;
    const { round } = metadata;
    // Chunks that advisors add have no round. They belong to the current one.
    const isNext = round !== undefined && this.#round !== undefined && round !== this.#round;
    if (isNext || (results.length > 0 && isOfLoop(results[0]!))) this.#begin(isNext);
    if (round !== undefined) this.#round = round;
    this.#any = true;
    if (results.length > 0) (this.#first ??= new GenerationAggregation()).add(results[0]!);
    for (let at = 1; at < results.length; at++) {
      ((this.#others ??= [])[at - 1] ??= new GenerationAggregation()).add(results[at]!);
    }
    this.#addMetadata(metadata);
  }

  /** The answer so far. Undefined before the first chunk. */
  get response(): ChatResponse | undefined {
    if (!this.#any) return undefined;
    const first = (this.#first ?? new GenerationAggregation()).generation;
    const answer = first.metadata?.[ENDED_EARLY] && this.#said ? withTextsBefore(this.#said, first) : first;
    return new ChatResponse({
      results: this.#others ? [answer, ...this.#others.map(({ generation }) => generation)] : [answer],
      metadata: { ...this.#metadata, ...(this.#usage && { usage: this.#usage }) },
    });
  }

  /** Starts a new answer. Token usage still counts for all answers. */
  #begin(isNextRound: boolean): void {
    if (isNextRound && this.#first?.text) (this.#said ??= []).push(this.#first.text);
    this.#first = undefined;
    this.#others = undefined;
    this.#metadata = undefined;
  }

  #addMetadata(metadata: ChatResponseMetadata): void {
    if (hasUsage(metadata.usage)) this.#usage = laterUsage(this.#usage, metadata.usage);
    for (const key in metadata) {
      if (key === 'usage' || metadata[key] === undefined) continue;
      this.#metadata = { ...this.#metadata, ...metadata };
      return;
    }
  }
}

/** Collects the pieces of one generation. */
class GenerationAggregation {
  text = '';
  #reasoning: string | undefined;
  #toolCalls: ToolCall[] | undefined;
  #media: Media[] | undefined;
  #providerToolCalls: readonly ProviderToolCall[] | undefined;
  #sources: Source[] | undefined;
  #messageMetadata: MessageMetadata | undefined;
  #metadata: GenerationMetadata | undefined;

  add({ output, metadata }: Generation): void {
    if (output.text) this.text += output.text;
    if (output.reasoning) this.#reasoning = (this.#reasoning ?? '') + output.reasoning;
    if (output.toolCalls?.length > 0) this.#addToolCalls(output.toolCalls);
    if (output.media) (this.#media ??= []).push(...output.media);
    if (output.providerToolCalls) {
      this.#providerToolCalls = mergeProviderToolCalls(this.#providerToolCalls ?? [], output.providerToolCalls);
    }
    if (output.sources) (this.#sources ??= []).push(...output.sources);
    if (output.metadata) this.#messageMetadata = { ...this.#messageMetadata, ...output.metadata };
    if (metadata) this.#metadata = { ...this.#metadata, ...metadata };
  }

  get generation(): Generation {
    return {
      output: new AssistantMessage({
        text: this.text,
        ...(this.#toolCalls && { toolCalls: this.#toolCalls }),
        ...(this.#reasoning !== undefined && { reasoning: this.#reasoning }),
        ...(this.#media && { media: this.#media }),
        ...(this.#providerToolCalls && { providerToolCalls: this.#providerToolCalls }),
        ...(this.#sources && { sources: this.#sources }),
        ...(this.#messageMetadata && { metadata: this.#messageMetadata }),
      }),
      ...(this.#metadata && { metadata: this.#metadata }),
    };
  }

  #addToolCalls(calls: readonly ToolCall[]): void {
    this.#toolCalls ??= [];
    for (const call of calls) {
      const at = call.index === undefined ? -1 : this.#toolCalls.findIndex((known) => known.index === call.index);
      if (at < 0) this.#toolCalls.push(call);
      else this.#toolCalls[at] = joinFragments(this.#toolCalls[at]!, call);
    }
  }
}

function isOfLoop({ metadata }: Generation): boolean {
  return metadata?.finishReason !== undefined && OF_LOOP.has(metadata.finishReason);
}

function withTextsBefore(texts: readonly string[], { output, metadata }: Generation): Generation {
  // The last text already starts with a blank line if it follows others.
  const text = [...texts, output.text.replace(/^\n\n/, '')].join('\n\n');
  const kept = output.metadata && { metadata: output.metadata };
  return { output: new AssistantMessage({ text, ...kept }), ...(metadata && { metadata }) };
}

function joinFragments(known: ToolCall, fragment: ToolCall): ToolCall {
  return {
    ...known,
    ...fragment,
    id: known.id || fragment.id,
    name: known.name || fragment.name,
    arguments: (known.arguments ?? '') + (fragment.arguments ?? ''),
  };
}

/** Passes a streamed answer through and hands over the complete answer at the end. */
export class MessageAggregator {
  /**
   * @param stream the chunks; they pass through unchanged as they arrive
   * @param onComplete receives the complete answer, once per subscription; not called on an error,
   * on unsubscribing, or when there was no chunk
   */
  aggregate(stream: Observable<ChatResponse>, onComplete: (response: ChatResponse) => void): Observable<ChatResponse> {
    return defer(() => {
      const aggregation = new ChatResponseAggregation();
      return stream.pipe(
        tap({
          next: (chunk) => aggregation.add(chunk),
          complete: () => {
            const { response } = aggregation;
            if (response) onComplete(response);
          },
        }),
      );
    });
  }
}
