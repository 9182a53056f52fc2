import { type ContentPart, describeContentPart } from '@nestor-ai/core';

/**
 * The providers whose APIs take pictures and files as the result of a tool. The others' packages would send the bytes as text,
 * and a single picture would fill the context of the model.
 */
const TAKES_CONTENT = /anthropic|bedrock|vertex|google|\.responses$/;

/** Whether models of a provider take pictures and files from tools. */
export function takesContentByDefault(provider: string): boolean {
  return TAKES_CONTENT.test(provider);
}

/** The text of a result, with pictures and files in words. */
export function describeContent(text: string, content: readonly ContentPart[]): string {
  const parts = content.map((part) => (part.type === 'text' ? part.text : `[${describeContentPart(part)}; not shown]`));
  // A tool that gave a bare picture has said no more of it than this does.
  const isSaid = content.some((part) => part.type !== 'text' && text === describeContentPart(part));
  return [...(text === '' || isSaid ? [] : [text]), ...parts].join('\n');
}
