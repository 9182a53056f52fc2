import type { Message, UserMessage } from '@nestor-ai/core';
import { approvalResponse } from './approval-response.js';
import { assistantContent } from './assistant-content.js';
import { filePart } from './file-part.js';
import type { AiSdkLanguageModel } from '../language-model.js';
import type { FilePart, SpecificationMessage, SpecificationVersion, TextPart } from '../specification.js';
import { toToolResult } from './tool-result.js';

/**
 * Converts messages to the form of the specification.
 *
 * @param isToolContentTaken whether the model's API accepts files in tool results. Default: by the
 *   provider and the media type
 */
export function toSpecificationMessages(
  messages: readonly Message[],
  model: AiSdkLanguageModel,
  isToolContentTaken?: boolean,
): SpecificationMessage[] {
  return messages.map((message): SpecificationMessage => {
    const converted = toSpecificationMessage(message, model, isToolContentTaken);
    if (message.role !== 'tool' && message.providerOptions) converted.providerOptions = message.providerOptions;
    return converted;
  });
}

function toSpecificationMessage(
  message: Message,
  model: AiSdkLanguageModel,
  isToolContentTaken: boolean | undefined,
): SpecificationMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text.toWellFormed() };
    case 'user':
      return { role: 'user', content: userContent(message, model.specificationVersion) };
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message, model.specificationVersion, model.provider) };
    case 'tool':
      return {
        role: 'tool',
        content: message.responses.map(
          (response) => approvalResponse(response) ?? toToolResult(response, model, isToolContentTaken),
        ),
      };
  }
}

function userContent({ text, media = [] }: UserMessage, version: SpecificationVersion): (TextPart | FilePart)[] {
  const files = media.map((item) => filePart(item, version));
  return text === '' && files.length > 0 ? files : [{ type: 'text', text: text.toWellFormed() }, ...files];
}
