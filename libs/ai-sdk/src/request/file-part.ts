import { ChatModelException, type Media } from '@nestor-ai/core';
import { readMediaData } from './media-data.js';
import type { FileData, FilePart, SpecificationVersion } from '../specification.js';

/**
 * Converts a file of a user or assistant message to the form of the specification.
 *
 * @throws ChatModelException if it has a `data:` URL that cannot be read
 */
export function filePart({ mimeType, data, name, providerOptions }: Media, version: SpecificationVersion): FilePart {
  const read = readMediaData(data);
  if (read === undefined) {
    throw new ChatModelException(
      `A file of the type ${mimeType} has a data: URL that cannot be read. It must look like data:${mimeType};base64,AAAA.`,
    );
  }
  return {
    type: 'file',
    mediaType: mimeType,
    data: fileData(read, version),
    ...(name !== undefined && { filename: name }),
    ...(providerOptions && { providerOptions: providerOptions }),
  };
}

function fileData(data: Media['data'], version: SpecificationVersion): FileData {
  if (version === 'v3') return data;
  return data instanceof URL ? { type: 'url', url: data } : { type: 'data', data };
}

/** The data of a file that a model of either version made. */
export function generatedData(data: FileData): Media['data'] {
  if (typeof data !== 'object' || data instanceof Uint8Array || data instanceof URL) return data;
  return data.type === 'url' ? data.url : data.data;
}
