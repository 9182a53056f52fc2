import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { jsonPart } from '@nestor-ai/core/internal';
import type { ToolCallback, ToolMetadata, ToolRegistration } from '@nestor-ai/core';
import type { AnnouncedTool } from '../wire/messages.js';
import { REMOTE_TOOL_SERVICE_OPTIONS } from './remote-tool-service.module-definition.js';
import type { RemoteToolServiceModuleOptions } from './remote-tool-service.options.js';
import { ServiceApplication } from './service-application.js';

/** The tools that a service announces, and their revision. */
export interface Listing {
  readonly revision: string;
  readonly tools: readonly AnnouncedTool[];
}

/** The tools of the application that other applications may call. */
@Injectable()
export class RemoteToolListing implements OnApplicationBootstrap {
  private readonly logger = new Logger('RemoteToolServiceModule');

  constructor(
    private readonly application: ServiceApplication,
    @Inject(REMOTE_TOOL_SERVICE_OPTIONS) private readonly options: RemoteToolServiceModuleOptions,
  ) {}

  /**
   * An empty list would not tell the developer what is missing.
   *
   * @throws Error if two tools have the same name
   */
  onApplicationBootstrap(): void {
    if (this.#registrations().size > 0) return;
    this.logger.warn(
      'Other applications get no tools of this service. Mark tools with @Tool({ remote: true }), or select them with the ' +
        'option tools.',
    );
  }

  /** Read for each question, since a tool may change its definition. */
  current(): Listing {
    const tools = [...this.#registrations().values()].map(({ callback }) => toAnnouncedTool(callback));
    return { tools, revision: createHash('sha256').update(JSON.stringify(tools)).digest('base64url') };
  }

  find(name: string): ToolCallback | undefined {
    return this.#registrations().get(name)?.callback;
  }

  #registrations(): ReadonlyMap<string, ToolRegistration> {
    const { registry } = this.application;
    const { tools: query } = this.options;
    const marked = registry.list().filter(({ metadata }) => metadata.remote === true);
    const selected = query ? registry.find(query.criteria) : [];
    const known = new Map<string, ToolRegistration>();
    for (const tool of [...marked, ...selected]) {
      const other = known.get(tool.name);
      if (other && other.callback !== tool.callback) {
        throw new Error(
          `Two tools for other applications have the name '${tool.name}': in ${other.className} and in ${tool.className}. Give one of ` +
            'them another name with @Tool({ name }), or expose only one.',
        );
      }
      known.set(tool.name, tool);
    }
    return known;
  }
}

/** The metadata that has a field of its own, or that other applications do not need. */
const OWN_FIELDS: ReadonlySet<keyof ToolMetadata> = new Set<keyof ToolMetadata>([
  'returnDirect',
  'needsApproval',
  'effect',
  'untrusted',
  'timeout',
  'replaySafe',
  'sequential',
  'offeredByDefault',
  'ui',
  'visible',
  'retry',
  'concurrencyKey',
  'rateLimit',
  'cacheTtl',
  'job',
  'mcp',
  'remote',
]);

function toAnnouncedTool({ toolDefinition, toolMetadata }: ToolCallback): AnnouncedTool {
  const { providerOptions: _options, ...definition } = toolDefinition;
  const {
    returnDirect,
    needsApproval,
    effect,
    untrusted,
    timeout,
    retry,
    replaySafe,
    sequential,
    offeredByDefault,
    ui,
  } = toolMetadata;
  const metadata = jsonPart(Object.fromEntries(Object.entries(toolMetadata).filter(([key]) => !OWN_FIELDS.has(key))));
  return {
    ...definition,
    ...(returnDirect && { returnDirect }),
    // The service evaluates a function for each call, and asks then.
    ...(needsApproval === true && { needsApproval }),
    ...(effect && { effect }),
    ...(untrusted && { untrusted }),
    // With retries, a call may take longer than one try.
    ...(timeout !== undefined && Number.isFinite(timeout) && !retry && { timeout }),
    ...(replaySafe && { replaySafe }),
    ...(sequential && { sequential }),
    ...(offeredByDefault === false && { offeredByDefault }),
    ...(ui !== undefined && { ui }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
