import type { Advisor, MemoryAdvisor, ToolAdvisor } from '../../advisor/advisor.js';
import { ClientRuntime } from '../../client/client-runtime.js';
import type { ToolCallbackResolver } from '../../execution/tool-callback-resolver.js';
import type { Awaitable } from '../../model/awaitable.js';
import type { RequestServices } from '../../model/request-services.js';
import type { ToolCallback } from '../../model/tool-callback.js';
import type { ObservabilityOptions } from '../../observability/observability-options.js';
import type { ToolFilter } from '../../tool/tool-visibility.js';
import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import type { ChatClientFactory } from './chat-client.factory.js';
import type { ToolRegistry } from '../discovery/tool.registry.js';
import type { ClientSettings } from '../properties/client-properties.js';
import { RUNNING_TURNS } from '../../model/running-turns.js';

const NO_TOOLS: readonly ToolCallback[] = Object.freeze([]);

/** Connects a client to its application. */
export class NestClientRuntime extends ClientRuntime {
  override readonly clientName: string | undefined;
  override readonly catalog: ToolRegistry;
  override readonly toolCallbackResolver: ToolCallbackResolver;
  override readonly toolFilter: ToolFilter | undefined;
  override readonly services: RequestServices;

  constructor(
    private readonly name: string,
    private readonly settings: ClientSettings,
    private readonly application: ChatClientFactory,
    override readonly observability: ObservabilityOptions,
  ) {
    super();
    this.clientName = name === DEFAULT_CHAT_CLIENT ? undefined : name;
    this.catalog = application.registry;
    this.toolCallbackResolver = application.toolCallbackResolver;
    this.toolFilter = application.toolFilter;
    this.services = application.services.of(name);
  }

  override ensureReady(): void {
    this.services.get(RUNNING_TURNS)!.throwIfClosed();
    this.application.bootstrap.ensureChecked();
  }

  override defaultTools(request?: unknown): Awaitable<readonly ToolCallback[]> {
    return this.settings.defaultTools === 'discovered' ? this.catalog.currentCallbacks(request) : NO_TOOLS;
  }

  override createToolLoop(): Advisor & ToolAdvisor {
    return this.application.loopOf(this.name, this.settings);
  }

  override memoryAdvisor(): (Advisor & MemoryAdvisor) | undefined {
    return this.application.memoryAdvisor;
  }

  override currentRequest(): unknown {
    return this.application.currentRequest.get();
  }

  override advisors(): readonly Advisor[] {
    return this.application.advisors.of(this.name);
  }
}

/** The runtime of a client that could not be created. Each request fails with the error. */
export class BrokenClientRuntime extends ClientRuntime {
  constructor(private readonly error: Error) {
    super();
  }

  override ensureReady(): never {
    throw this.error;
  }
}
