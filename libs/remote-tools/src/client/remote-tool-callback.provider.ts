import { Logger } from '@nestjs/common';
import { type RegisteredTools, type ToolCallback, ToolCallbackProvider, type TurnPrincipal } from '@nestor-ai/core';
import { RemoteCalls } from './remote-calls.js';
import type { RemoteServices } from './remote-services.js';
import { RemoteToolCallback } from './remote-tool-callback.js';
import { DEFAULT_NAME, type RemoteToolsModuleOptions } from './remote-tools.options.js';
import type { ServiceTool } from './service-directory.js';

/**
 * The tools of the services that run now. They belong to the tools of the application. Pass it to
 * `.tools(…)` for a request with these tools only.
 */
export class RemoteToolCallbackProvider extends ToolCallbackProvider {
  private readonly logger = new Logger('RemoteToolsModule');
  override readonly displayName: string;
  override readonly required: boolean;
  override readonly trusted: boolean;
  // Private fields, so that no logger prints the secret.
  readonly #services: RemoteServices;
  readonly #isPrefixed: boolean;
  readonly #calls: RemoteCalls;
  readonly #callbacks = new Map<string, ToolCallback>();
  /** Which service has a name. It keeps it while it runs. */
  readonly #owners = new Map<string, string>();
  #last: { readonly tools: readonly ServiceTool[]; readonly callbacks: readonly ToolCallback[] } | undefined;

  constructor(services: RemoteServices, options: RemoteToolsModuleOptions, principal?: TurnPrincipal) {
    super();
    const { name = DEFAULT_NAME, required = false, trusted = false, prefix = false } = options;
    this.displayName = name;
    this.required = required;
    this.trusted = trusted;
    this.#isPrefixed = prefix;
    this.#services = services;
    this.#calls = new RemoteCalls(services, options, principal);
  }

  /** @throws Error if no service can be reached */
  async getToolCallbacks(_registered?: RegisteredTools, _request?: unknown): Promise<readonly ToolCallback[]> {
    await this.#services.untilFirstAnswer();
    const tools = this.#services.directory.tools();
    const { failure } = this.#services;
    if (tools.length === 0 && failure !== undefined) {
      throw new Error(`no service can be reached (${failure}). Start the services, and check the option transport.`);
    }
    if (this.#last?.tools !== tools) this.#last = { tools, callbacks: this.#toCallbacks(tools) };
    return this.#last.callbacks;
  }

  #toCallbacks(tools: readonly ServiceTool[]): readonly ToolCallback[] {
    const { directory } = this.#services;
    for (const [name, service] of this.#owners) if (!directory.knows(service)) this.#owners.delete(name);
    const current = tools.filter((tool) => this.#owns(tool));
    const keys = new Set(current.map(({ key }) => key));
    for (const key of this.#callbacks.keys()) if (!keys.has(key)) this.#callbacks.delete(key);
    return Object.freeze(current.map((tool) => this.#callbackOf(tool)));
  }

  /** Whether a service has the name of its tool. The first one gets it. */
  #owns({ service, announced: { name } }: ServiceTool): boolean {
    if (this.#isPrefixed) return true;
    const owner = this.#owners.get(name) ?? service;
    this.#owners.set(name, owner);
    if (owner === service) return true;
    this.logger.error(
      `The services '${owner}' and '${service}' both have a tool '${name}'. Requests get that of '${owner}'. Rename one of them, or ` +
        'set prefix: true in RemoteToolsModule.',
    );
    return false;
  }

  #callbackOf(tool: ServiceTool): ToolCallback {
    let callback = this.#callbacks.get(tool.key);
    if (!callback) {
      const { service, announced } = tool;
      const name = this.#isPrefixed ? `${service}_${announced.name}` : announced.name;
      callback = new RemoteToolCallback(this.#calls, tool, name);
      this.#callbacks.set(tool.key, callback);
    }
    return callback;
  }
}
