import { Injectable, Optional } from '@nestjs/common';
import { AiBootstrapException, ToolCallers, ToolRegistry, TurnPrincipal } from '@nestor-ai/core';

/** What the server needs of `AiModule`. Without it, Nest's error would only name a class of ours. */
@Injectable()
export class ApplicationTools {
  /** @throws AiBootstrapException if the application does not import `AiModule` */
  constructor(
    @Optional() readonly registry: ToolRegistry,
    @Optional() readonly callers: ToolCallers,
    @Optional() readonly principal: TurnPrincipal,
  ) {
    if (!registry || !callers || !principal) {
      throw new AiBootstrapException([
        'McpServerModule needs AiModule. Import AiModule.forRoot() in your root module. If the application has no model, ' +
          'write AiModule.forRoot({ properties: { chat: { client: { enabled: false } } } }).',
      ]);
    }
  }
}
