import { defer, type Observable, tap } from 'rxjs';
import { ChatResponse, type ChatResponseMetadata, type GenerationMetadata } from './chat-response.js';
import type { Media } from './content-part.js';
import { AssistantMessage, type MessageMetadata, type ToolCall } from './messages.js';
import { hasUsage, laterUsage, type Usage } from './usage.js';

/** Collects the chunks of one streamed answer into the answer. */
export class ChatResponseAggregation {
  #text = '';
  #reasoning: string | undefined;
  #toolCalls: ToolCall[] | undefined;
  #media: Media[] | undefined;
  #messageMetadata: MessageMetadata | undefined;
  #generationMetadata: GenerationMetadata | undefined;
  #metadata: ChatResponseMetadata | undefined;
  #usage: Usage | undefined;
  #any = false;

  /** Adds the next chunk. */
  add(chunk: ChatResponse): void {
    this.#any = true;
    const generation = chunk.results[0];
    if (generation) {
      const { output, metadata } = generation;
      if (output.text) this.#text += output.text;
      if (output.reasoning) this.#reasoning = (this.#reasoning ?? '') + output.reasoning;
      if (output.toolCalls?.length > 0) this.#addToolCalls(output.toolCalls);
      if (output.media) (this.#media ??= []).push(...output.media);
      if (output.metadata) this.#messageMetadata = { ...this.#messageMetadata, ...output.metadata };
      if (metadata) this.#generationMetadata = { ...this.#generationMetadata, ...metadata };
    }
    this.#addMetadata(chunk.metadata);
  }

  /** The whole answer so far, or undefined when no chunk came. */
  get response(): ChatResponse | undefined {
    if (!this.#any) return undefined;
    return new ChatResponse({
      results: [
        {
          output: new AssistantMessage({
            text: this.#text,
            ...(this.#toolCalls && { toolCalls: this.#toolCalls }),
            ...(this.#reasoning !== undefined && { reasoning: this.#reasoning }),
            ...(this.#media && { media: this.#media }),
            ...(this.#messageMetadata && { metadata: this.#messageMetadata }),
          }),
          ...(this.#generationMetadata && { metadata: this.#generationMetadata }),
        },
      ],
      metadata: { ...this.#metadata, ...(this.#usage && { usage: this.#usage }) },
    });
  }

  #addToolCalls(calls: readonly ToolCall[]): void {
    this.#toolCalls ??= [];
    for (const call of calls) {
      const at = call.index === undefined ? -1 : this.#toolCalls.findIndex((known) => known.index === call.index);
      if (at < 0) this.#toolCalls.push(call);
      else this.#toolCalls[at] = joinFragments(this.#toolCalls[at]!, call);
    }
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

function joinFragments(known: ToolCall, fragment: ToolCall): ToolCall {
  return {
    ...known,
    ...fragment,
    id: known.id || fragment.id,
    name: known.name || fragment.name,
    arguments: known.arguments + fragment.arguments,
  };
}

/** Passes a streamed answer through and hands over the whole answer when it is complete. */
export class MessageAggregator {
  /**
   * @param stream the chunks, which pass through unchanged as they arrive
   * @param onComplete receives the whole answer, once per subscription; not called on an error, on a
   *   cancel, or when there was no chunk
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
