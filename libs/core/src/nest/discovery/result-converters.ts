import { Injectable, type Type as NestType } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { resultConverterOf } from '../../tool/declaration/result-converter.js';
import type { ToolOptions } from '../../tool/declaration/tool-options.js';
import { ToolCallResultConverter } from '../../tool/result/tool-call-result-converter.js';
import { messageOf } from '@nestor-ai/schema';
import { moduleRefOf } from '../invocation/turn-scope.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** Finds the result converters of tools and of the application. */
@Injectable()
export class ResultConverters {
  #default: ToolCallResultConverter | undefined;

  constructor(private readonly moduleRef: ModuleRef) {}

  /**
   * The converter of a tool, which can be a provider. Default: the converter of the application.
   *
   * @throws Error if the converter is request-scoped
   */
  of(named: ToolOptions['resultConverter'], host: ProviderHost): ToolCallResultConverter {
    // Not injected, so that a converter can inject providers that depend on tools.
    if (!named) return (this.#default ??= get(this.moduleRef, ToolCallResultConverter, true)!);
    return resultConverterOf(named, (type) => {
      return get(moduleRefOf(host.wrapper), type, true) ?? get(this.moduleRef, type, false);
    });
  }
}

/** @returns undefined if no module provides it. Most converters are created with `new`. */
function get(moduleRef: ModuleRef, type: unknown, strict: boolean): ToolCallResultConverter | undefined {
  try {
    return moduleRef.get(type as NestType<ToolCallResultConverter>, { strict });
  } catch (error) {
    if ((error as Error).constructor.name === 'UnknownElementException') return undefined;
    throw new Error(
      `The result converter ${(type as { name: string }).name} cannot be used. It serves all requests: make it and its dependencies ` +
        `singletons. Cause: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
