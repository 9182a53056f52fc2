import {
  BaseAdvisor,
  type ChatClientRequest,
  offeredToolDefinitions,
  type ToolCallback,
  type ToolDefinition,
} from '@nestor-ai/core';
import { TOOL_SEARCH_TOOL_NAME } from '@nestor-ai/tool-search';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** The tokens of tool definitions in one round. */
export interface RoundCost {
  readonly tools: readonly string[];
  readonly withSearch: number;
  readonly withoutSearch: number;
}

/** Counts the tokens of the tool definitions in each round, and the tokens without the search. */
export class TokenMeter extends BaseAdvisor {
  readonly name = 'token meter';
  readonly rounds: RoundCost[] = [];
  readonly #tokens = new WeakMap<ToolDefinition, number>();

  override before(request: ChatClientRequest): ChatClientRequest {
    const { options } = request.prompt;
    const sent = offeredToolDefinitions(options);
    const all = (options?.toolCallbacks ?? []).map(({ toolDefinition }: ToolCallback) => toolDefinition);
    this.rounds.push({
      tools: sent.map(({ name }) => name),
      withSearch: this.#sum(sent),
      withoutSearch: this.#sum(all.filter(({ name }) => name !== TOOL_SEARCH_TOOL_NAME)),
    });
    return request;
  }

  #sum(definitions: readonly ToolDefinition[]): number {
    return definitions.reduce((sum, definition) => sum + this.#tokensOf(definition), 0);
  }

  /** Counts a definition in OpenAI's format, with the tokenizer of its newer models. */
  #tokensOf(definition: ToolDefinition): number {
    let tokens = this.#tokens.get(definition);
    if (tokens === undefined) {
      const { name, description, inputSchema } = definition;
      tokens = encode(
        JSON.stringify({ type: 'function', function: { name, description, parameters: inputSchema } }),
      ).length;
      this.#tokens.set(definition, tokens);
    }
    return tokens;
  }
}
