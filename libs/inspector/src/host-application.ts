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
  readonly clients: ChatClients;
  readonly tools: ToolRegistry;
  readonly callers: ToolCallers;
  readonly suspended: SuspendedTurns;
  readonly policy: ApprovalPolicy;
  readonly principal: TurnPrincipal;
  readonly properties: AiProperties;
  readonly memory: ChatMemory;
  readonly log: ConversationLog;

  /** @throws AiBootstrapException if the application does not import `AiModule` */
  constructor(
    @Optional() clients?: ChatClients,
    @Optional() tools?: ToolRegistry,
    @Optional() callers?: ToolCallers,
    @Optional() suspended?: SuspendedTurns,
    @Optional() policy?: ApprovalPolicy,
    @Optional() principal?: TurnPrincipal,
    @Optional() properties?: AiProperties,
    @Optional() memory?: ChatMemory,
    @Optional() log?: ConversationLog,
  ) {
    if (!clients || !tools || !callers || !suspended || !policy || !principal || !properties || !memory || !log) {
      throw new AiBootstrapException([
        'AiInspectorModule needs AiModule, whose tools and turns it shows. Import AiModule.forRoot() in your root module.',
      ]);
    }
    this.clients = clients;
    this.tools = tools;
    this.callers = callers;
    this.suspended = suspended;
    this.policy = policy;
    this.principal = principal;
    this.properties = properties;
    this.memory = memory;
    this.log = log;
  }

  /** What a tool may do, such as `read`: the most that any tool of the name may. */
  effectOf(toolName: string): string {
    const named = this.tools.list().filter(({ name }) => name === toolName);
    const effects = named.map(({ callback }) => callback.toolMetadata.effect ?? 'write');
    return (['irreversible', 'write', 'read'] as const).find((effect) => effects.includes(effect)) ?? 'write';
  }
}
