import 'reflect-metadata';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import type { Awaitable } from '../../model/awaitable.js';
import type { ToolCallback } from '../../model/tool-callback.js';
import type { ToolContext } from '../../model/tool-context.js';
import { DerivedToolRecord } from '../../tool/derived-tool-record.js';
import {
  type Enhancers,
  NO_ENHANCERS,
  readEnhancers,
  enhancerMetadata,
  metadataKeysOf,
} from '../../tool/declaration/enhancers.js';
import { FunctionToolCallback, type ToolFunction } from '../../tool/function-tool-callback.js';
import { RecordToolCallback } from '../../tool/record-tool-callback.js';
import { recordOf } from '../../tool/record-of.js';
import type { ToolAround } from '../../tool/tool-record.js';
import { isScoped, type ProviderHost } from '../hosts/provider-host.js';
import { checkEnhancers, refusePipes, refuseScopedGlobals, refuseLost } from '../hosts/runnable-enhancers.js';
import { GlobalEnhancers } from './global-enhancers.js';
import { NestToolAround } from './nest-tool-around.js';
import { functionCode, methodCode, OWN_CODE, type ToolCode } from './tool-code.js';
import type { Method, ToolTarget } from './tool-enhancers.js';
import {
  givenInstance,
  type InstanceFinder,
  resolveInstance,
  singletonInstance,
  TOOL_SUBSTITUTES,
  type ToolSubstitutes,
  turnInstance,
} from './tool-instances.js';
import { RequiredRequest } from './required-request.js';
import { findToolMethod } from '../../tool/declaration/tool.decorator.js';
import { classNameOf } from '@nestor-ai/schema';

/** The parts of a tool method that the container needs. */
export interface ContainerMethod {
  readonly toolName: string;
  readonly methodName: string;
  readonly enhancers: Enhancers;
}

/** Creates the {@link ToolAround} of tools. */
@Injectable()
export class ToolAroundFactory {
  constructor(
    private readonly creator: ExternalContextCreator,
    private readonly applicationConfig: ApplicationConfig,
    private readonly globals: GlobalEnhancers,
    @Inject(TOOL_SUBSTITUTES) private readonly substitutes: ToolSubstitutes,
    private readonly requiredRequest: RequiredRequest,
  ) {}

  /** For a method of a provider. @param instance an instance to use in place of Nest's */
  ofMethod(host: ProviderHost, method: ContainerMethod, instance?: object): ToolAround {
    const target = targetOf(host, method);
    const scoped = isScoped(host) ? host : undefined;
    const given = this.substitutes.has(method.toolName) ? host.prototype : instance;
    const found = given
      ? this.#given(given, scoped, target)
      : scoped
        ? turnInstance(host, target, this.requiredRequest)
        : singletonInstance(host, target);
    return this.#around(target, found, this.#methodCode(target, method));
  }

  /** For a static method. Guards see its class and its metadata. */
  ofStatic(host: ProviderHost, method: ContainerMethod): ToolAround {
    const { type } = host;
    const target = targetOf({ ...host, prototype: type }, method);
    return this.#around(target, this.#given(type, undefined, target), this.#methodCode(target, method));
  }

  /** For a request-scoped function. @param template the tool without its function */
  ofScopedFunction(host: ProviderHost, template: FunctionToolCallback): ToolAround {
    const { wrapper } = host;
    const tool = `'${template.toolDefinition.name}'`;
    return this.#ofFunction(host, template, async ({ turn }) => {
      if (turn.request === undefined) this.requiredRequest.check([wrapper], tool);
      const { instance } = await resolveInstance(wrapper, tool, turn);
      (instance as ToolCallback).verify?.();
      return (instance as FunctionToolCallback).toolFunction;
    });
  }

  /** For the function of a provider that is a tool itself. */
  ofFunction(host: ProviderHost, callback: FunctionToolCallback): ToolAround {
    const { toolFunction } = callback;
    return this.#ofFunction(host, callback, () => toolFunction);
  }

  /**
   * Wraps a `ToolCallback` in the global enhancers and in those of its class.
   *
   * @throws Error if Nest would not run one of them
   */
  register(callback: ToolCallback, host: ProviderHost): ToolCallback {
    const prototype = Object.getPrototypeOf(callback) as object;
    const type = callback.constructor as unknown as ProviderHost['type'];
    refuseScopedGlobals(`The ToolCallback ${type.name} in ${host.moduleName}`, this.applicationConfig);
    const enhancers = readEnhancers(prototype, 'call');
    refusePipes(type, enhancers);
    checkEnhancers({ ...host, type, prototype }, 'call', enhancers, this.applicationConfig);
    const target = targetOfCallback(callback, host, enhancers);
    const around = this.#around(target, this.#given(callback, undefined, target), OWN_CODE);
    return new RecordToolCallback(
      new DerivedToolRecord(recordOf(this.#substituteFor(callback) ?? callback), { around }),
    );
  }

  /** The replacement of a `ToolCallback` in a test. */
  #substituteFor({ toolDefinition, toolMetadata }: ToolCallback): ToolCallback | undefined {
    const { name, description, inputSchema } = toolDefinition;
    const toolFunction = this.substitutes.get(name);
    return toolFunction && new FunctionToolCallback({ name, description, inputSchema, toolFunction, toolMetadata });
  }

  #ofFunction(
    { wrapper, type }: ProviderHost,
    callback: FunctionToolCallback,
    functionOf: (context: ToolContext) => Awaitable<ToolFunction<unknown>>,
  ): ToolAround {
    const methodName = callback.toolDefinition.name;
    const substitute = this.substitutes.get(methodName);
    const target = {
      type,
      methodName,
      declared: recordOf(callback).handler ?? (() => undefined),
      inquirerId: wrapper.id,
      enhancers: NO_ENHANCERS,
    };
    const code = functionCode(substitute ? () => substitute : functionOf);
    return this.#around(target, this.#given(type.prototype, undefined, target), code);
  }

  /** The code of a method, or what replaces it in a test. */
  #methodCode(target: ToolTarget, { toolName }: ContainerMethod): ToolCode {
    const substitute = this.substitutes.get(toolName);
    return substitute ? functionCode(() => substitute) : methodCode(target, this.creator, this.globals);
  }

  #given(instance: object, host: ProviderHost | undefined, target: ToolTarget): InstanceFinder {
    return givenInstance(instance, host, target, this.globals);
  }

  #around(target: ToolTarget, instanceOf: InstanceFinder, code: ToolCode): ToolAround {
    return new NestToolAround(target, instanceOf, code, this.creator, this.globals);
  }
}

function targetOf({ wrapper, prototype, type }: ProviderHost, { methodName, enhancers }: ContainerMethod): ToolTarget {
  const declared = (prototype as Record<string, Method>)[methodName]!;
  return { type, methodName, declared, inquirerId: wrapper.id, enhancers };
}

/**
 * The class and method that guards see for a `ToolCallback`. For a callback of a method: that
 * method and its class, even if the callback is wrapped. Otherwise: the callback's class and its
 * `call()`, with the metadata of a function tool.
 *
 * @param enhancers the enhancers of the callback's class
 * @throws Error if metadata of the method is lost
 */
function targetOfCallback(callback: ToolCallback, host: ProviderHost, enhancers: Enhancers): ToolTarget {
  const { method: place, handler } = recordOf(callback);
  const ownType = callback.constructor as unknown as ProviderHost['type'];
  const call = callback.call as Method;
  const inquirerId = host.wrapper.id;
  if (!place) {
    const declared = handler ? withMetadata(metadataOf(handler), call) : call;
    return { type: ownType, methodName: 'call', declared, inquirerId, enhancers };
  }
  const { target, methodName } = place;
  const decorated = findToolMethod(target, methodName)?.declared;
  refuseLost(`The tool ${classNameOf(target)}.${methodName}()`, readEnhancers(target, methodName, decorated));
  const type = (typeof target === 'function' ? target : target.constructor) as unknown as ProviderHost['type'];
  const added = [call, ownType].flatMap(metadataOf).filter(([key]) => !Reflect.hasMetadata(key, type));
  const method = (target as Record<string, Method>)[methodName]!;
  const declared = withMetadata([...enhancerMetadata(enhancers), ...added], method);
  return { type, methodName, declared, inquirerId, enhancers };
}

function metadataOf(place: object): [PropertyKey, unknown][] {
  return metadataKeysOf(place).map((key) => [key, Reflect.getMetadata(key, place)]);
}

/**
 * A method with additional metadata. The method's own metadata takes precedence, then the first
 * value of each key.
 */
function withMetadata(added: readonly [PropertyKey, unknown][], declared: Method): Method {
  if (added.length === 0) return declared;
  const joined: Method = () => undefined;
  Object.setPrototypeOf(joined, declared);
  for (const [key, value] of added) {
    if (!Reflect.hasMetadata(key, joined)) Reflect.defineMetadata(key, value, joined);
  }
  return joined;
}
