import {
  BaseAdvisor,
  type ChatClientRequest,
  offeredToolDefinitions,
  type ToolCallback,
  type ToolDefinition,
} from '@nestor-ai/core';
import { TOOL_SEARCH_TOOL_NAME } from '@nestor-ai/tool-search';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** What one round has cost, in tokens of tool definitions. */
export interface RoundCost {
  readonly tools: readonly string[];
  readonly withSearch: number;
  readonly withoutSearch: number;
}

/** Counts the tokens of the tool definitions of each round, and what they would be if all tools were sent. */
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

  /** A definition as OpenAI's protocol has it, in the tokens of its newer models. */
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
