import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, type ContextId, ExternalContextCreator } from '@nestjs/core';
import type { Awaitable } from '../../model/awaitable.js';
import { runsWithRunner, type ToolCallback } from '../../model/tool-callback.js';
import { RUNS_WITH_RUNNER, type ToolContext } from '../../model/tool-context.js';
import type { ToolResult } from '../../model/tool-result.js';
import type { ToolParameter } from '../../tool/declaration/method-input.js';
import { FunctionToolCallback, type ToolFunction } from '../../tool/function-tool-callback.js';
import type { MethodInvoker } from '../../tool/method-tool-callback.js';
import { type Enhancers, NO_ENHANCERS, readEnhancers } from '../../tool/declaration/enhancers.js';
import { runMethod } from '../../tool/run-code.js';
import { isScoped, type ProviderHost } from '../hosts/provider-host.js';
import { areScoped, checkEnhancers, refusePipes, refuseScopedGlobals } from '../hosts/runnable-enhancers.js';
import { EnhancedToolCallback } from './enhanced-tool-callback.js';
import { createEnhancedCall, createPipedCall, unlessMeant } from './enhanced-call.js';
import { GlobalEnhancers } from './global-enhancers.js';
import { asInstanceOf, checkInstance, type Method, standIn } from './method-host.js';
import { TOOL_SUBSTITUTES, type ToolSubstitutes } from './tool-substitutes.js';
import { createToolPipes } from './tool-pipes.js';
import { contextIdOf, moduleRefOf } from './turn-scope.js';

/** What is known of a method when it is to be called. */
export interface InvokedMethod {
  readonly methodName: string;
  readonly enhancers: Enhancers;
  /** The parameters that take what the model sends; asked when a tool with pipes is called. */
  readonly parameters: () => readonly ToolParameter[];
}

/** A method that Nest is to call, and where it is declared. */
interface Target extends InvokedMethod {
  readonly declared: Method;
  readonly inquirerId: string;
}

const NO_PARAMETERS = (): readonly ToolParameter[] => [];

/** Makes the functions that call tool methods the way Nest would call them. */
@Injectable()
export class ToolInvokerFactory {
  constructor(
    private readonly externalContextCreator: ExternalContextCreator,
    private readonly applicationConfig: ApplicationConfig,
    private readonly globals: GlobalEnhancers,
    @Inject(TOOL_SUBSTITUTES) private readonly substitutes: ToolSubstitutes,
  ) {}

  /** Whether a test has something else run in the place of a tool. */
  isSubstituted(toolName: string): boolean {
    return this.substitutes.has(toolName);
  }

  /** Calls what a test has put in the place of a method, with the whole input and the context. */
  substitute(host: ProviderHost, method: InvokedMethod, toolName: string): MethodInvoker {
    const standing = standIn(host.type, method.methodName, this.substitutes.get(toolName) as Method);
    const target = targetOf(host, method);
    return isScoped(host) ? this.#forTurn(host, target, standing) : this.#once(standing, target);
  }

  /** Calls the method of a provider: of its one instance, or of one that is made for the turn. */
  create(host: ProviderHost, method: InvokedMethod): MethodInvoker {
    return isScoped(host) ? this.#scoped(host, method) : this.#static(host, method);
  }

  /** Calls the method of an instance that was given, where another one would be made for the turn. */
  bound(host: ProviderHost, given: object, method: InvokedMethod): MethodInvoker {
    return this.#forTurn(host, targetOf(host, method), () => {
      checkInstance(given, host.prototype, method.methodName);
      return given as Record<string, Method>;
    });
  }

  /** Calls a static method. Guards see its class and its metadata. */
  ofStatic({ wrapper, type }: ProviderHost, method: InvokedMethod): MethodInvoker {
    const { methodName } = method;
    const statics = type as unknown as Record<string, Method>;
    const call: Method = (...args) => statics[methodName]!(...args);
    const target = { ...method, declared: statics[methodName]!, inquirerId: wrapper.id };
    return this.#once(standIn(type, methodName, call), target);
  }

  /**
   * Calls the function of a tool that is a provider itself.
   *
   * @param functionOf gives the function, which may have to be made for the turn
   */
  ofFunction(
    { wrapper, type }: ProviderHost,
    name: string,
    functionOf: (context: ToolContext) => Awaitable<ToolFunction<unknown>>,
  ): ToolFunction<unknown> {
    const substitute = this.substitutes.get(name);
    const call = (input: unknown, context: ToolContext): unknown => {
      const found = substitute ?? functionOf(context);
      return found instanceof Promise ? found.then((made) => made(input, context)) : found(input, context);
    };
    const invoke = this.#once(standIn(type, name, call as Method), {
      methodName: name,
      declared: call as Method,
      inquirerId: wrapper.id,
      enhancers: NO_ENHANCERS,
      parameters: NO_PARAMETERS,
    });
    return (input, context) => invoke([input, context], context);
  }

  /** Finds the function that was made for a turn. */
  scopedFunction({ wrapper }: ProviderHost): (context: ToolContext) => Promise<ToolFunction<unknown>> {
    const moduleRef = moduleRefOf(wrapper);
    return async ({ turn }) => {
      const contextId = contextIdOf(turn, wrapper);
      const made = await moduleRef.resolve<ToolCallback>(wrapper.token as string, contextId, { strict: true });
      made.verify?.();
      return (made as FunctionToolCallback).toolFunction;
    };
  }

  /**
   * Puts the enhancers of the application, and those of its class, before a tool of somebody's own making. Their execution context
   * has the arguments as the model wrote them.
   *
   * @throws Error when Nest would not run one of them
   */
  enhance(callback: ToolCallback, host: ProviderHost): ToolCallback {
    const prototype = Object.getPrototypeOf(callback) as object;
    const type = callback.constructor as unknown as ProviderHost['type'];
    refuseScopedGlobals(`The ToolCallback ${type.name} in ${host.moduleName}`, this.applicationConfig);
    const enhancers = readEnhancers(prototype, 'call');
    refusePipes(type, enhancers);
    checkEnhancers(
      { ...host, type, prototype },
      { methodName: 'call', options: {} },
      enhancers,
      this.applicationConfig,
    );
    const runs = this.#substituteFor(callback) ?? callback;
    const runsItself = runsWithRunner(runs);
    const call: Method = (toolInput, context) =>
      runs.call(toolInput as string, runsItself ? (context as ToolContext) : (context as ToolContext).withoutRunner());
    if (runsItself) Object.assign(call, { [RUNS_WITH_RUNNER]: true });
    const invoke = this.#once(standIn(type, 'call', call), {
      methodName: 'call',
      declared: callback.call as Method,
      inquirerId: host.wrapper.id,
      enhancers,
      parameters: NO_PARAMETERS,
    });
    return new EnhancedToolCallback(callback, async (toolInput, context) => {
      return (await invoke([toolInput, context], context)) as string | ToolResult;
    });
  }

  /** What a test has put in the place of a tool of somebody's own making. */
  #substituteFor({ toolDefinition, toolMetadata }: ToolCallback): ToolCallback | undefined {
    const { name, description, inputSchema } = toolDefinition;
    const toolFunction = this.substitutes.get(name);
    return toolFunction && new FunctionToolCallback({ name, description, inputSchema, toolFunction, toolMetadata });
  }

  #static(host: ProviderHost, method: InvokedMethod): MethodInvoker {
    const { wrapper, prototype, type } = host;
    let found: { instance: unknown; called: Record<string, Method> } | undefined;
    const instanceOf = (): Record<string, Method> => {
      // Read at each call: it may not have been there yet when the tools were looked for.
      const instance = wrapper.instance as Record<string, Method>;
      if (found?.instance !== instance) {
        checkInstance(instance, prototype, method.methodName);
        found = { instance, called: asInstanceOf(type, instance, method.methodName) };
      }
      return found.called;
    };
    return this.#once(instanceOf, targetOf(host, method));
  }

  /** Calls the method of an instance that is the same for all turns. */
  #once(instanceOf: () => Record<string, Method>, target: Target): MethodInvoker {
    let compiled: { invoke: MethodInvoker; instance: object; globals: number } | undefined;
    return (args, context) => {
      const instance = instanceOf();
      const globals = this.globals.count;
      if (!compiled || compiled.globals !== globals || compiled.instance !== instance) {
        compiled = { invoke: this.#compile(instance, target, undefined), instance, globals };
      }
      return compiled.invoke(args, context);
    };
  }

  /** Calls something else than the instance that lives as long as the turn, behind the enhancers that do. */
  #forTurn(host: ProviderHost, target: Target, instanceOf: () => Record<string, Method>): MethodInvoker {
    const { wrapper } = host;
    const hasEnhancers = (): boolean => target.enhancers.effective.size > 0 || this.globals.count > 0;
    const areMadeForTurn = (): boolean => this.globals.areScoped || areScoped(target.enhancers, host);
    return (args, context) => {
      const instance = instanceOf();
      if (!hasEnhancers()) return runMethod(instance, target.methodName, args, context);
      const contextId = contextIdOf(context.turn, wrapper);
      // Nest makes the guards of a turn together with the instance that they stand before; else they would be empty shells.
      const call = (): unknown => this.#compile(instance, target, contextId)(args, context);
      if (!areMadeForTurn()) return call();
      const made = moduleRefOf(wrapper).resolve(wrapper.token as string, contextId, { strict: true });
      return made.then(call, (error: unknown) => {
        throw unlessMeant(error, `${host.type.name}.${target.methodName}()`);
      });
    };
  }

  /** A host that lives as long as a request: resolved for each turn, in the host's own module. */
  #scoped(host: ProviderHost, method: InvokedMethod): MethodInvoker {
    const { wrapper, prototype, type } = host;
    const target = targetOf(host, method);
    const moduleRef = moduleRefOf(wrapper);
    return async (args, context) => {
      const contextId = contextIdOf(context.turn, wrapper);
      const made = moduleRef.resolve<Record<string, Method>>(wrapper.token as string, contextId, { strict: true });
      const instance = await made.catch((error: unknown) => {
        throw unlessMeant(error, `${type.name}.${method.methodName}()`);
      });
      checkInstance(instance, prototype, method.methodName);
      return this.#compile(instance, target, contextId)(args, context);
    };
  }

  /** What Nest has to run before a method, and nothing else. */
  #compile(instance: Record<string, Method>, target: Target, contextId: ContextId | undefined): MethodInvoker {
    const { methodName, declared, inquirerId, enhancers } = target;
    const { effective } = enhancers;
    const hasPipes = effective.has('pipes');
    const parameters = hasPipes || this.globals.pipeCount > 0 ? target.parameters() : [];
    const creator = this.externalContextCreator;
    const pipes =
      parameters.length > 0
        ? createToolPipes(creator, {
            instance,
            methodName,
            declared,
            parameters,
            contextId,
            inquirerId,
            showsClasses: hasPipes,
          })
        : undefined;
    if (effective.size > (hasPipes ? 1 : 0) || this.globals.handlerCount > 0) {
      return createEnhancedCall(creator, { instance, methodName, declared, contextId, inquirerId, pipes });
    }
    if (!pipes) return (args, context) => runMethod(instance, methodName, args, context);
    return createPipedCall({ instance, methodName, pipes });
  }
}

function targetOf({ wrapper, prototype, type }: ProviderHost, method: InvokedMethod): Target {
  const { methodName, enhancers, parameters } = method;
  const [ofInstance, ofClass] = [prototype, type] as unknown as Record<string, Method>[];
  // A static method stands on the class.
  const declared = (ofInstance![methodName] ?? ofClass![methodName])!;
  return { methodName, enhancers, parameters, declared, inquirerId: wrapper.id };
}
