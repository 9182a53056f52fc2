import { Injectable } from '@nestjs/common';
import { type Enhancers, readEnhancers } from '../../tool/declaration/enhancers.js';
import { type ToolMethod, toolNameOf, usableToolMethods } from '../../tool/declaration/tool.decorator.js';
import type { ProviderHost } from './provider-host.js';

/** Reads what decorators left on the classes of providers. */
@Injectable()
export class ToolMetadataAccessor {
  /** The `@Tool()` methods of a provider, those it inherits included. */
  getToolMethods(host: ProviderHost): readonly ToolMethod[] {
    return usableToolMethods(host.prototype);
  }

  /** The static ones of its class. */
  getStaticToolMethods(host: ProviderHost): readonly ToolMethod[] {
    return host.isNestMade ? usableToolMethods(host.type) : [];
  }

  getToolName(method: ToolMethod): string {
    return toolNameOf(method.methodName, method.options);
  }

  /** The guards, interceptors, pipes and filters of the method and its class. */
  getEnhancers(host: ProviderHost, method: ToolMethod): Enhancers {
    return readEnhancers(host.prototype, method.methodName, method.declared);
  }
}
