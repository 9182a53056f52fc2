import type { AssistantMessage, Media, MessageInput } from '@nestor-ai/core';
import type { LanguageModel } from './providers.js';
import type { Turn, TurnTool } from './turn.js';

/*
 * The two majors have the same functions with other types, and the provider packages have types
 * of a third version. What is sent is compared, so the types are not.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Untyped = any;

const majors = { v3: () => import('ai'), v4: () => import('ai-v7') };

/** Makes a turn with `generateText` or `streamText` of the major that the model belongs to. */
export async function inAiSdk(turn: Turn, model: LanguageModel, streaming: boolean): Promise<void> {
  const version = model.specificationVersion;
  const ai: Untyped = await majors[version]();
  const settings = settingsOf(turn, version, ai);
  if (!streaming) {
    await ai.generateText({ model, ...settings });
    return;
  }
  let failure: unknown;
  const result = ai.streamText({ model, ...settings, onError: ({ error }: { error: unknown }) => (failure ??= error) });
  await result.consumeStream();
  if (failure) throw failure;
}

function settingsOf({ options = {}, ...turn }: Turn, version: 'v3' | 'v4', ai: Untyped): object {
  const { maxTokens, toolChoice, outputSchema, ...same } = options;
  const tools = [
    ...(turn.tools ?? []).map((tool) => [tool.name, toolOf(tool, version, ai)]),
    ...(turn.providerTools ?? []).map((tool) => [tool.name, { ...tool, inputSchema: ai.jsonSchema({}) }]),
  ];
  return {
    ...same,
    messages: turn.messages.map(messageOf),
    ...(turn.system !== undefined && { [version === 'v3' ? 'system' : 'instructions']: turn.system }),
    allowSystemInMessages: true,
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(tools.length > 0 && { tools: Object.fromEntries(tools) as object }),
    ...(toolChoice && { toolChoice: typeof toolChoice === 'string' ? toolChoice : { type: 'tool', ...toolChoice } }),
    ...(outputSchema && { output: ai.Output.object({ schema: ai.jsonSchema(outputSchema) }) }),
    stopWhen: (version === 'v3' ? ai.stepCountIs : ai.isStepCount)(turn.answers.length),
    maxRetries: 0,
    experimental_download: downloadPictures,
  };
}

function toolOf(
  { name: _name, run, picture, inputSchema, ...rest }: TurnTool,
  version: 'v3' | 'v4',
  ai: Untyped,
): object {
  const { inputExamples, ...declared } = rest;
  return {
    ...declared,
    ...(inputExamples && { inputExamples: inputExamples.map((input) => ({ input })) }),
    inputSchema: ai.jsonSchema(inputSchema),
    execute: run,
    ...(picture && { toModelOutput: () => pictureOutput(picture, version) }),
  };
}

/** What a tool that gives a picture says: its text, and the picture in the form of the version. */
function pictureOutput(picture: Uint8Array, version: 'v3' | 'v4'): object {
  const data = Buffer.from(picture).toString('base64');
  const shown =
    version === 'v3'
      ? { type: 'image-data', data, mediaType: 'image/png' }
      : { type: 'file', data: { type: 'data', data }, mediaType: 'image/png' };
  return { type: 'content', value: [{ type: 'text', text: 'A chart' }, shown] };
}

function messageOf(message: MessageInput): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text, ...optionsOf(message) };
    case 'user': {
      const files = (message.media ?? []).map(fileOf);
      const text = { type: 'text', text: message.text };
      return { role: 'user', content: files.length > 0 ? [text, ...files] : message.text, ...optionsOf(message) };
    }
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message), ...optionsOf(message) };
    case 'tool':
      return {
        role: 'tool',
        content: message.responses.map(({ id, name, responseData, ...response }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: 'text', value: responseData },
          ...optionsOf(response),
        })),
      };
  }
}

function assistantParts({ text, toolCalls = [] }: Partial<AssistantMessage>): object[] {
  return [
    ...(text ? [{ type: 'text', text }] : []),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: JSON.parse(input) as unknown,
    })),
  ];
}

function fileOf({ mimeType, data, name, ...media }: Media): object {
  return { type: 'file', mediaType: mimeType, data, ...(name && { filename: name }), ...optionsOf(media) };
}

function optionsOf({ providerOptions }: { readonly providerOptions?: object }): object {
  return providerOptions ? { providerOptions } : {};
}

/** Like the default, but also loads files from this machine. */
async function downloadPictures(
  requested: readonly { url: URL; isUrlSupportedByModel: boolean }[],
): Promise<({ data: Uint8Array; mediaType: string } | null)[]> {
  return Promise.all(
    requested.map(async ({ url, isUrlSupportedByModel }) => {
      if (isUrlSupportedByModel) return null;
      const response = await fetch(url);
      const mediaType = response.headers.get('content-type') ?? '';
      return { data: new Uint8Array(await response.arrayBuffer()), mediaType };
    }),
  );
}
