import { type ContentPart, describeContentPart } from '@nestor-ai/core';
import type { AiSdkLanguageModel } from '../language-model.js';

/** Which files a model's API accepts in tool results. */
export interface ToolContent {
  /** The media types. */
  readonly types: RegExp;
  /** The URLs that the provider fetches itself, or has stored. */
  readonly urls: RegExp;
}

const WEB = /^https?:/;
const IMAGE = 'image\\/(?:png|jpeg|gif|webp)';

/**
 * What each provider package sends in tool results and the provider's API documents, read from the
 * packages' conversion of `tool-result` parts. The first row that matches `<provider>:<model>`
 * applies. Packages in no row, such as `openai.chat`, `mistral.chat`, `groq.chat`, `xai.chat`,
 * `deepseek.chat`, `ollama` and all that are compatible to OpenAI, write the parts into the text as
 * JSON, where one image would fill the model's context.
 */
const TAKEN: readonly (readonly [models: RegExp, content: ToolContent])[] = [
  // Also on Amazon Bedrock, Vertex AI and the AI Gateway. The package drops other types.
  [/^(?:[^:]*anthropic|gateway:anthropic\/)/, { types: typesOf(IMAGE, 'application\\/pdf'), urls: WEB }],
  // The package throws for other types and URLs.
  [
    /^amazon-bedrock:/,
    {
      types: typesOf(
        IMAGE,
        'application\\/(?:pdf|msword|vnd\\.ms-excel)',
        'application\\/vnd\\.openxmlformats-officedocument\\.(?:wordprocessingml\\.document|spreadsheetml\\.sheet)',
        'text\\/(?:csv|html|plain|markdown)',
      ),
      urls: /^s3:/,
    },
  ],
  // Before Gemini 3, the package sends files beside the result, where all of Gemini's types go.
  [
    /^google.*gemini-[12]/,
    { types: typesOf('image\\/.+', 'audio\\/.+', 'video\\/.+', 'application\\/pdf', 'text\\/.+'), urls: /^gs:/ },
  ],
  [/^(?:google|vertex)/, { types: typesOf('image\\/.+', 'application\\/pdf', 'text\\/plain'), urls: /^gs:/ }],
  // The package drops all other files.
  [/^xai\.responses:/, { types: typesOf(IMAGE), urls: WEB }],
  [/^(?!ollama)[^:]*\.responses:/, { types: typesOf(IMAGE, 'application\\/.+', 'text\\/.+'), urls: WEB }],
];

const ALL: ToolContent = { types: /^/, urls: /^/ };

/**
 * Which files a model takes in tool results. Undefined if it only takes text.
 *
 * @param isTaken true for all files, false for none. Default: what the provider takes.
 */
export function toolContentOf({ provider, modelId }: AiSdkLanguageModel, isTaken?: boolean): ToolContent | undefined {
  if (isTaken !== undefined) return isTaken ? ALL : undefined;
  const model = `${provider}:${modelId}`;
  return TAKEN.find(([models]) => models.test(model))?.[1];
}

/** The text of a result, with images and files described in words. */
export function describeContent(text: string, content: readonly ContentPart[]): string {
  const parts = content.map((part) => (part.type === 'text' ? part.text.toWellFormed() : inWords(part)));
  return [...(text === '' || isDescribed(text, content) ? [] : [text]), ...parts].join('\n');
}

/** The description of a file that the model does not see. */
export function inWords(part: Exclude<ContentPart, { type: 'text' }>, what = 'not shown'): string {
  return `[${describeContentPart(part)}; ${what}]`;
}

/** If a tool only returned an image, its text is the same description. */
function isDescribed(text: string, content: readonly ContentPart[]): boolean {
  return content.some((part) => part.type !== 'text' && text === describeContentPart(part));
}

function typesOf(...types: readonly string[]): RegExp {
  return new RegExp(`^(?:${types.join('|')})$`, 'i');
}
