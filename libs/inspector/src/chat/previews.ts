import { Injectable } from '@nestjs/common';
import { TurnRing } from '../recording/turn-ring.js';
import { instructionsOf } from '../view/instructions.js';
import { type MessageView, messageViewOf } from '../view/message-view.js';
import { ShownContent } from '../view/shown-content.js';
import { tokensOf } from '../view/tool-tokens.js';
import { ChatRuns } from './chat-runs.js';
import { type ProbedPrompt, PromptProbe } from './prompt-probe.js';

/** What a model would see of a request. */
export interface PromptPreview {
  /** The messages before the question. */
  readonly messages: readonly MessageView[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly tokens: number }[];
  /** Tokens of all tools, roughly. */
  readonly toolTokens: number;
}

const QUESTION = '(the question)';

/** Shows what a model would see, without asking it. */
@Injectable()
export class Previews {
  constructor(
    private readonly runs: ChatRuns,
    private readonly ring: TurnRing,
    private readonly shown: ShownContent,
  ) {}

  /** What a question of this client would send. Runs all advisors before the model. */
  async of(client: string, caller: unknown): Promise<PromptPreview> {
    const { messages, tools } = await this.#probe(client, caller);
    const priced = tools.map((tool) => ({ name: tool.name, description: tool.description, tokens: tokensOf(tool) }));
    return {
      messages: messages.map((message) => messageViewOf(message, this.shown)),
      tools: priced,
      toolTokens: priced.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  /** The instructions of a client as they are now. */
  async instructionsOf(client: string, caller: unknown): Promise<string> {
    return instructionsOf((await this.#probe(client, caller)).messages);
  }

  async #probe(client: string, caller: unknown): Promise<ProbedPrompt> {
    const probe = new PromptProbe();
    const request = this.runs.clientOf(client).prompt(QUESTION).request(caller).advisors(probe);
    await this.ring.ignoring(() => request.call().content());
    return probe.prompt ?? { messages: [], tools: [] };
  }
}
