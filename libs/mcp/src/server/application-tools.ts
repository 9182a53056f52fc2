import { Injectable, Optional } from '@nestjs/common';
import { AiBootstrapException, ToolCallers, ToolRegistry, TurnPrincipal } from '@nestor-ai/core';

/** What the server needs of `AiModule`. Without it, Nest's error would only name a class of ours. */
@Injectable()
export class ApplicationTools {
  readonly registry: ToolRegistry;
  readonly callers: ToolCallers;
  readonly principal: TurnPrincipal;

  /** @throws AiBootstrapException if the application does not import `AiModule` */
  constructor(
    @Optional() registry?: ToolRegistry,
    @Optional() callers?: ToolCallers,
    @Optional() principal?: TurnPrincipal,
  ) {
    if (!registry || !callers || !principal) {
      throw new AiBootstrapException([
        'McpServerModule needs AiModule. Import AiModule.forRoot() in your root module. If the application has no model, ' +
          'write AiModule.forRoot({ properties: { chat: { client: { enabled: false } } } }).',
      ]);
    }
    this.registry = registry;
    this.callers = callers;
    this.principal = principal;
  }
}
