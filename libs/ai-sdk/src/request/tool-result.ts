import type { ContentPart, ToolResponse } from '@nestor-ai/core';
import { base64, isRemote, readMediaData } from './media-data.js';
import type { AiSdkLanguageModel } from '../language-model.js';
import type {
  FileData,
  SpecificationVersion,
  ToolResultItem,
  ToolResultOutput,
  ToolResultPart,
} from '../specification.js';
import { sentId } from './sent-id.js';
import { describeContent, inWords, type ToolContent, toolContentOf } from './tool-content.js';

/**
 * Converts the answer of a tool to the form of the specification. Files that the model's API does
 * not accept in tool results are described in words.
 *
 * @param isContentTaken as in {@link toolContentOf}
 */
export function toToolResult(
  response: ToolResponse,
  model: AiSdkLanguageModel,
  isContentTaken?: boolean,
): ToolResultPart {
  const { id, name, providerOptions } = response;
  return {
    type: 'tool-result',
    toolCallId: sentId(id, model.provider),
    toolName: name,
    output: toOutput(response, model, isContentTaken),
    ...(providerOptions && { providerOptions: providerOptions }),
  };
}

function toOutput(
  { responseData, isError, content }: ToolResponse,
  model: AiSdkLanguageModel,
  isContentTaken: boolean | undefined,
): ToolResultOutput {
  // A tool that cuts an emoji leaves half a character: providers refuse such JSON.
  const said = responseData.toWellFormed();
  // Not every provider sends the error flag, so the text also says that it is an error.
  if (isError) {
    const text = describeContent(said, content ?? []);
    return { type: 'error-text', value: /^error\b/i.test(text) ? text : `Error: ${text}` };
  }
  if (!content || content.length === 0) return { type: 'text', value: said };
  const taken = toolContentOf(model, isContentTaken);
  if (!taken || !content.some((part) => isSent(part, taken))) {
    return { type: 'text', value: describeContent(said, content) };
  }
  const items = content.map((part) => toItem(part, taken, model.specificationVersion));
  return { type: 'content', value: said === '' ? items : [{ type: 'text', text: said }, ...items] };
}

/** Whether a part of a result reaches the model as it is. */
function isSent(part: ContentPart, { types, urls }: ToolContent): boolean {
  if (part.type === 'text') return true;
  if (!types.test(part.mimeType)) return false;
  return !isRemote(part.data) || urls.test(String(part.data));
}

function toItem(part: ContentPart, taken: ToolContent, version: SpecificationVersion): ToolResultItem {
  const options = part.providerOptions && { providerOptions: part.providerOptions };
  if (part.type === 'text') return { type: 'text', text: part.text.toWellFormed(), ...options };
  const given = isSent(part, taken) ? readMediaData(part.data) : undefined;
  if (given === undefined) return { type: 'text', text: inWords(part), ...options };
  const filename = part.type === 'file' && part.name !== undefined ? { filename: part.name } : {};
  if (version === 'v4') {
    const data: FileData = given instanceof URL ? { type: 'url', url: given } : { type: 'data', data: base64(given) };
    return { type: 'file', mediaType: part.mimeType, data, ...filename, ...options };
  }
  const kind = part.mimeType.startsWith('image/') ? 'image' : 'file';
  if (given instanceof URL) return { type: `${kind}-url`, url: given.href, ...options };
  return { type: `${kind}-data`, mediaType: part.mimeType, data: base64(given), ...filename, ...options };
}
