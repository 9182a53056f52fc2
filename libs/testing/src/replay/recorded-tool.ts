import { ToolCallback, ToolContext, type ToolMetadata, ToolResult } from '@nestor-ai/core';
import { type CassetteCall, CassetteException } from '../cassette/cassette-content.js';

/** Answers the calls of a tool with the results that a turn has recorded. Its code does not run. */
export class RecordedTool extends ToolCallback {
  override readonly toolDefinition: ToolCallback['toolDefinition'];
  override readonly toolMetadata: ToolMetadata;
  override readonly origin: string;
  /** By id. A model may use one again. */
  readonly #calls: ReadonlyMap<string, CassetteCall[]>;

  /** @param calls the calls of all tools */
  constructor(tool: ToolCallback, calls: readonly CassetteCall[]) {
    super();
    const { job: _job, cacheTtl: _cacheTtl, rateLimit: _rateLimit, ...others } = tool.toolMetadata;
    const { effect, needsApproval: asks, ...metadata } = others;
    this.#calls = new Map(calls.map(({ id }) => [id, calls.filter((call) => call.id === id)]));
    this.toolDefinition = tool.toolDefinition;
    // A call with a result and no decision did not ask for approval, such as one with wrong arguments.
    const needsApproval = (_input: unknown, { toolCall }: ToolContext): boolean =>
      (this.#calls.get(toolCall.id)?.[0] ?? { decision: true }).decision !== undefined;
    // Other tools have asked their user for input.
    const mayAsk = !!asks || effect === 'irreversible';
    const isAsked = mayAsk && calls.some(({ name, decision }) => name === tool.toolDefinition.name && decision);
    this.toolMetadata = { ...metadata, ...(isAsked && { needsApproval }) };
    this.origin = tool.origin;
  }

  /** @throws CassetteException for a call that the recorded turn does not have */
  override async call(_input: string, { toolCall }: ToolContext = new ToolContext()): Promise<string | ToolResult> {
    const calls = this.#calls.get(toolCall.id) ?? [];
    const call = calls.length > 1 ? calls.shift() : calls[0];
    if (!call) throw new CassetteException(`The recorded turn has no result of the call '${toolCall.id}'.`);
    const { result: text, isError = false, untrusted = false } = call;
    return isError || untrusted ? new ToolResult({ text, isError, untrusted }) : text;
  }
}
