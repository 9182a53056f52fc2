import type { ContentBlock, ReadResourceResult } from '@modelcontextprotocol/client';
import type { ContentPart } from '@nestor-ai/core';
import { type DescribedBinary, MAX_BINARY_BYTES, toBinaryPart } from './binary-part.js';

/** The most images and files of one result that go to the model. */
const MAX_PARTS = 20;

/** The longest images and files of one result together, in characters of base64. */
const MAX_BINARY_LENGTH = (2 * MAX_BINARY_BYTES * 4) / 3;

/** Content for a model. */
export interface ReadContent {
  /** All text, and words for everything else. Empty if there is no content. */
  readonly text: string;
  /** Images and files, for models that can read them. */
  readonly parts: readonly ContentPart[];
}

type ResourceContents = ReadResourceResult['contents'][number];

/** Reads the content of a result or a prompt. */
export function readContent(blocks: readonly ContentBlock[]): ReadContent {
  return collect(blocks.map(describeBlock));
}

/** Reads the contents of a resource. */
export function readResourceContents(contents: readonly ResourceContents[]): ReadContent {
  return collect(contents.map(describeResource));
}

/** Images and files after the first ones are only described, so that the results stay bounded. */
function collect(described: readonly DescribedBinary[]): ReadContent {
  const parts: ContentPart[] = [];
  let length = 0;
  for (const { part } of described) {
    if (!part) continue;
    const added = lengthOf(part);
    if (parts.length >= MAX_PARTS || length + added > MAX_BINARY_LENGTH) continue;
    parts.push(part);
    length += added;
  }
  return { text: described.map(({ text }) => text).join('\n'), parts };
}

function lengthOf(part: ContentPart): number {
  return part.type !== 'text' && typeof part.data === 'string' ? part.data.length : 0;
}

function describeBlock(block: ContentBlock): DescribedBinary {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
    case 'audio':
      return toBinaryPart(block);
    case 'resource':
      return describeResource(block.resource);
    case 'resource_link':
      return { text: describeResourceLink(block) };
    default:
      // A later version of the protocol may have more types.
      return { text: '[content of a type that this application does not know]' };
  }
}

function describeResource(resource: ResourceContents): DescribedBinary {
  const { uri, mimeType } = resource;
  if ('text' in resource) return { text: `[resource ${uri}]\n${resource.text}` };
  const { text, ...described } = toBinaryPart({ data: resource.blob, mimeType, name: fileNameOf(uri) });
  return { ...described, text: `[resource ${uri}] ${text}` };
}

/** A resource in one line: its address, name, type and description. */
export function describeResourceLink(link: {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string | undefined;
  readonly description?: string | undefined;
}): string {
  const { uri, name, mimeType, description } = link;
  return `[resource ${uri}] ${name}${mimeType === undefined ? '' : ` (${mimeType})`}${description ? `: ${description}` : ''}`;
}

/** The last part of a path, if it can be a file name. */
function fileNameOf(uri: string): string | undefined {
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  return /^[\w.-]{1,100}$/.test(last) ? last : undefined;
}
