import { Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import type { ToolMethod } from '../../tool/declaration/tool.decorator.js';
import { createMethodTool, type MethodToolCallback } from '../../tool/method-tool-callback.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { ToolInvokerFactory } from '../invocation/tool-invoker.factory.js';
import { AiProperties } from '../properties/ai-properties.js';
import { findProviderHosts, type ProviderHost } from './provider-host.js';
import { checkEnhancers } from './runnable-enhancers.js';
import { ToolMetadataAccessor } from './tool-metadata.accessor.js';

/** A tool found in the application, and where. */
export interface DiscoveredTool {
  readonly name: string;
  readonly methodName: string;
  readonly callback: MethodToolCallback;
  readonly host: ProviderHost;
}

/** Finds the `@Tool()` methods of all providers and controllers and makes tools of them. */
@Injectable()
export class ToolExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly accessor: ToolMetadataAccessor,
    private readonly invokers: ToolInvokerFactory,
    private readonly properties: AiProperties,
    private readonly problems: BootstrapProblems,
    private readonly config: ApplicationConfig,
  ) {}

  /** The tools of all hosts. What cannot be a tool is a problem of the bootstrap. */
  explore(): DiscoveredTool[] {
    return findProviderHosts(this.discovery).flatMap((host) =>
      this.accessor.getToolMethods(host).flatMap((method) => {
        const callback = this.problems.collect(() => this.#createTool(host, method));
        if (!callback) return [];
        return { name: callback.toolDefinition.name, methodName: method.methodName, callback, host };
      }),
    );
  }

  #createTool(host: ProviderHost, method: ToolMethod): MethodToolCallback {
    const enhancers = this.accessor.getEnhancers(host, method);
    checkEnhancers(host, method, enhancers, this.config);
    return createMethodTool(method, host.prototype, {
      invoker: this.invokers.create(host, method.methodName, enhancers.effective.size > 0),
      inferParameterNames: this.properties.tools.inferParameterNames,
    });
  }
}
