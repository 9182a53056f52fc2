import { ToolCallback, type ToolMetadata, ToolResult } from '@nestor-ai/core';
import { type CassetteCall, CassetteException } from '../cassette/cassette-content.js';

/** Answers the calls of a tool with the results that a turn has recorded. Its code does not run. */
export class RecordedTool extends ToolCallback {
  override readonly toolDefinition: ToolCallback['toolDefinition'];
  override readonly toolMetadata: ToolMetadata;
  override readonly origin: string;
  readonly #left: CassetteCall[];

  /** @param calls the calls of all tools */
  constructor(tool: ToolCallback, calls: readonly CassetteCall[]) {
    super();
    const { job: _job, cacheTtl: _cacheTtl, rateLimit: _rateLimit, ...metadata } = tool.toolMetadata;
    this.toolDefinition = tool.toolDefinition;
    this.toolMetadata = metadata;
    this.origin = tool.origin;
    const { name } = tool.toolDefinition;
    // A human has denied the others, and will do so again.
    this.#left = calls.filter((call) => call.name === name && call.decision?.approved !== false);
  }

  /** @throws CassetteException if the model asks more often than in the recorded turn */
  override async call(): Promise<string | ToolResult> {
    const { name } = this.toolDefinition;
    const call = this.#left.shift();
    if (!call) throw new CassetteException(`The recorded turn has no more results of the tool '${name}'.`);
    const { result, isError = false } = call;
    return isError ? new ToolResult({ text: result, isError }) : result;
  }
}
