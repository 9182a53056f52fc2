import { Injectable, Optional } from '@nestjs/common';
import {
  AiBootstrapException,
  AiProperties,
  ApprovalPolicy,
  ChatClients,
  ChatMemory,
  ConversationLog,
  SuspendedTurns,
  ToolCallers,
  ToolRegistry,
  TurnPrincipal,
} from '@nestor-ai/core';

/** What the inspector needs of `AiModule`. Without it, Nest's error would only name a class of ours. */
@Injectable()
export class HostApplication {
  /** @throws AiBootstrapException if the application does not import `AiModule` */
  constructor(
    @Optional() readonly clients: ChatClients,
    @Optional() readonly tools: ToolRegistry,
    @Optional() readonly callers: ToolCallers,
    @Optional() readonly suspended: SuspendedTurns,
    @Optional() readonly policy: ApprovalPolicy,
    @Optional() readonly principal: TurnPrincipal,
    @Optional() readonly properties: AiProperties,
    @Optional() readonly memory: ChatMemory,
    @Optional() readonly log: ConversationLog,
  ) {
    if (!clients || !tools || !callers || !suspended || !policy || !principal || !properties || !memory || !log) {
      throw new AiBootstrapException([
        'AiInspectorModule needs AiModule, whose tools and turns it shows. Import AiModule.forRoot() in your root module.',
      ]);
    }
  }

  /** What a tool may do, such as `read`: the most that any tool of the name may. */
  effectOf(toolName: string): string {
    const named = this.tools.list().filter(({ name }) => name === toolName);
    const effects = named.map(({ callback }) => callback.toolMetadata.effect ?? 'write');
    return (['irreversible', 'write', 'read'] as const).find((effect) => effects.includes(effect)) ?? 'write';
  }
}
