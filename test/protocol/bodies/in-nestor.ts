import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import { ChatClient, FunctionToolCallback, type ToolCallback, ToolResult } from '@nestor-ai/core';
import { lastValueFrom } from 'rxjs';
import { FILES } from './file-server.js';
import type { LanguageModel } from './providers.js';
import type { Turn, TurnTool } from './turn.js';

/** Makes a turn with a `ChatClient`. */
export async function inNestor(turn: Turn, model: LanguageModel, streaming: boolean): Promise<void> {
  const request = ChatClient.create(new AiSdkChatModel(model, {}, { downloads: { hosts: [FILES.host] } }))
    .prompt()
    .messages(turn.messages);
  if (turn.system !== undefined) request.system(turn.system);
  if (turn.options) request.options(turn.options);
  // A turn that ends with a call has no request with its result.
  if (turn.answers.at(-1)?.calls) request.options({ internalToolExecutionEnabled: false });
  const tools = [...(turn.tools ?? []).map(toolOf), ...(turn.providerTools ?? [])];
  if (tools.length > 0) request.tools(tools);
  if (streaming) await lastValueFrom(request.stream().chatResponse());
  else await request.call().chatResponse();
}

const callbacks = new WeakMap<TurnTool, ToolCallback>();

/** Compiles the schema of a tool once, since most turns have the same tool. */
function toolOf(tool: TurnTool): ToolCallback {
  const known = callbacks.get(tool);
  if (known) return known;
  const { run, picture, ...declared } = tool;
  const content = picture && [{ type: 'image' as const, mimeType: 'image/png', data: picture }];
  const callback = new FunctionToolCallback<Record<string, unknown>>({
    ...declared,
    toolFunction: content ? () => new ToolResult({ text: 'A chart', content }) : run,
  });
  callbacks.set(tool, callback);
  return callback;
}
