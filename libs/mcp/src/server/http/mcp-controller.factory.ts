import { All, type CanActivate, Controller, Req, Res, type Type, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import type { HttpResponse } from '@nestor-ai/core';
import { McpHttpHandler } from './mcp-http-handler.js';
import type { NestRequest } from './http-exchange.js';

/** Makes the controller of an endpoint. Its path and its guards must be known before Nest creates it. */
export function createMcpController(path: string, guards: readonly (CanActivate | Type<CanActivate>)[]): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(...guards)
  class McpController {
    constructor(private readonly handler: McpHttpHandler) {}

    @All()
    handle(@Req() request: NestRequest, @Res() response: HttpResponse): Promise<void> {
      return this.handler.handle(request, response);
    }
  }
  return McpController;
}
