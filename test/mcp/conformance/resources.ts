import { Injectable } from '@nestjs/common';
import { McpResource } from '@nestor-ai/mcp';
import { PIXEL } from './media.js';

const FIVE_MINUTES = { ttl: 300_000 };

/** The resources of the suite. */
@Injectable()
export class SuiteResources {
  @McpResource({ uri: 'test://static-text', description: 'Text', mimeType: 'text/plain', cache: FIVE_MINUTES })
  text(): string {
    return 'This is the content of the static text resource.';
  }

  @McpResource({ uri: 'test://static-binary', description: 'An image', mimeType: 'image/png' })
  image(): Buffer {
    return Buffer.from(PIXEL, 'base64');
  }

  @McpResource({ uri: 'test://watched-resource', description: 'For subscriptions' })
  watched(): string {
    return 'Watched resource content';
  }

  @McpResource({ uriTemplate: 'test://template/{id}/data', description: 'Data by id', complete: { id: ['123'] } })
  data(id: string): object {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}
