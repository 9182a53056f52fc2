import { All, type CanActivate, Controller, Req, Res, type Type, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { McpHttpHandler } from './mcp-http-handler.js';
import type { NestRequest, NestResponse } from './http-exchange.js';

/** Makes the controller of an endpoint. Its path and its guards must be known before Nest creates it. */
export function createMcpController(path: string, guards: readonly (CanActivate | Type<CanActivate>)[]): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(...guards)
  class McpController {
    constructor(private readonly handler: McpHttpHandler) {}

    @All()
    handle(@Req() request: NestRequest, @Res() response: NestResponse): Promise<void> {
      return this.handler.handle(request, response);
    }
  }
  return McpController;
}
