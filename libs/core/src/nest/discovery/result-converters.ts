import { Injectable, type Type as NestType } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { resultConverterOf } from '../../tool/declaration/result-converter.js';
import type { ToolOptions } from '../../tool/declaration/tool.decorator.js';
import { ToolCallResultConverter } from '../../tool/result/tool-call-result-converter.js';
import { messageOf } from '../../model/message-of.js';
import { moduleRefOf } from '../invocation/turn-scope.js';
import type { ProviderHost } from '../hosts/provider-host.js';

/** Finds the converters of results: those that tools name, and that of the application. */
@Injectable()
export class ResultConverters {
  #default: ToolCallResultConverter | undefined;

  constructor(private readonly moduleRef: ModuleRef) {}

  /**
   * The converter that a tool names, which may have dependencies, else that of the application.
   *
   * @throws Error for one that lives only as long as a request
   */
  of(named: ToolOptions['resultConverter'], host: ProviderHost): ToolCallResultConverter {
    // Not injected, so that a converter may inject whatever depends on tools.
    if (!named) return (this.#default ??= get(this.moduleRef, ToolCallResultConverter, true)!);
    return resultConverterOf(named, (type) => {
      return get(moduleRefOf(host.wrapper), type, true) ?? get(this.moduleRef, type, false);
    });
  }
}

/** @returns undefined when nobody provides it: most converters are made with `new` */
function get(moduleRef: ModuleRef, type: unknown, strict: boolean): ToolCallResultConverter | undefined {
  try {
    return moduleRef.get(type as NestType<ToolCallResultConverter>, { strict });
  } catch (error) {
    if ((error as Error).constructor.name === 'UnknownElementException') return undefined;
    throw new Error(
      `The result converter ${(type as { name: string }).name} cannot be used: ${messageOf(error)} It serves all requests: make it ` +
        'and what it injects singletons.',
      { cause: error },
    );
  }
}
