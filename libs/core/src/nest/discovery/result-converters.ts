import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { resultConverterOf } from '../../tool/declaration/result-converter.js';
import type { ToolOptions } from '../../tool/declaration/tool-options.js';
import { ToolCallResultConverter } from '../../tool/result/tool-call-result-converter.js';
import { moduleRefOf } from '../invocation/turn-scope.js';
import { type ProviderHost, singletonOf } from '../hosts/provider-host.js';

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

/** Undefined if no module provides it. Most converters are created with `new`. */
function get(moduleRef: ModuleRef, type: unknown, strict: boolean): ToolCallResultConverter | undefined {
  const name = `The result converter ${(type as { name: string }).name}`;
  return singletonOf(moduleRef, type, strict, { name, remedy: 'make it and its dependencies singletons' });
}
