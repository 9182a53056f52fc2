import { Injectable, Logger } from '@nestjs/common';
import { type ToolMethod, toolNameOf, usableToolMethods } from '../../tool/declaration/tool.decorator.js';
import { isInstanceOf } from '../../tool/type.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** Reads what decorators left on the classes of providers. */
@Injectable()
export class ToolMetadataAccessor {
  private readonly logger = new Logger('AiModule');

  /** The `@Tool()` methods of a provider, those it inherits included. */
  getToolMethods(host: ProviderHost): readonly ToolMethod[] {
    return usableToolMethods(host.prototype).filter(({ methodName }) => this.#isThere(host, methodName));
  }

  /** What stands in for a class, as a test may have it, need not do all that the class does. */
  #isThere({ wrapper, prototype, type, moduleName }: ProviderHost, methodName: string): boolean {
    const instance: unknown = wrapper.instance;
    const isOther = typeof instance === 'object' && instance !== null && !isInstanceOf(instance, prototype);
    if (!isOther || typeof (instance as Record<string, unknown>)[methodName] === 'function') return true;
    this.logger.warn(
      `${type.name}.${methodName}() is no tool: what is provided in place of ${type.name} in ${moduleName} has no such method.`,
    );
    return false;
  }

  /** The static ones of its class. */
  getStaticToolMethods(host: ProviderHost): readonly ToolMethod[] {
    return host.isNestMade ? usableToolMethods(host.type) : [];
  }

  getToolName(method: ToolMethod): string {
    return toolNameOf(method.methodName, method.options);
  }
}
