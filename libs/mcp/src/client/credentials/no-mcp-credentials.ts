import { Injectable } from '@nestjs/common';
import { type McpCredential, McpCredentials } from './mcp-credentials.js';

/** No request has a credential: all share one connection to each server. */
@Injectable()
export class NoMcpCredentials extends McpCredentials {
  override credentialOf(): McpCredential | undefined {
    return undefined;
  }
}
