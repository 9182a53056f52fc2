import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { ChatClientRequest } from '../../advisor/chat-client-exchange.js';
import { FallbackModelAdvisor } from '../../advisor/fallback-model-advisor.js';
import { DEFAULT_MODEL_RETRIES } from '../../advisor/model-recovery.js';
import { ModelTimeoutAdvisor, type ModelTimeoutAdvisorOptions } from '../../advisor/model-timeout-advisor.js';
import { chosenModelOf } from '../../advisor/other-model.js';
import type { Awaitable } from '../../model/awaitable.js';
import type { ChatModel } from '../../model/chat-model.js';
import { ModelRouter } from '../../model/model-router.js';
import type { ModelServices } from '../../model/model-services.js';
import type { InstanceWrapper } from '../hosts/provider-host.js';
import { LocatedChatModel } from '../located-chat-model.js';
import { ModelProperties } from '../properties/model-properties.js';

/** The models of the application by name: how clients choose them and ask them again. */
@Injectable()
export class ApplicationModels implements ModelServices {
  #router: ModelRouter | undefined;

  constructor(
    readonly properties: ModelProperties,
    private readonly discovery: DiscoveryService,
    @Inject(ModelRouter) private readonly ownRouter: ModelRouter | undefined,
  ) {}

  /** The router given to AiModule, otherwise that of any module, which may be created later. */
  get router(): ModelRouter | undefined {
    const isRouter = ({ token, instance }: InstanceWrapper): boolean => token === ModelRouter && !!instance;
    return (this.#router ??= this.ownRouter ?? this.discovery.getProviders().find(isRouter)?.instance);
  }

  resolve(name: string, current: ChatModel): Awaitable<ChatModel | undefined> {
    return this.router?.resolve(name, current instanceof LocatedChatModel ? current.model : current);
  }

  retriesOf(model: ChatModel, chosen: string | undefined): number {
    return this.properties.of(chosen).retry ?? model.retries ?? DEFAULT_MODEL_RETRIES;
  }

  /**
   * The advisors that apply to the models of a client. None if nothing is configured.
   *
   * @param ownsModel whether the client has another model than the application, which has no
   *   fallbacks
   */
  advisorsOf(ownsModel: boolean): readonly (FallbackModelAdvisor | ModelTimeoutAdvisor)[] {
    const { properties } = this;
    const hasFallbacks = [undefined, ...properties.names].some((name) => properties.of(name).fallbacks.length > 0);
    const models = (request: ChatClientRequest): readonly string[] => {
      const chosen = chosenModelOf(request);
      return chosen === undefined && ownsModel ? [] : fallbacksOf(properties, chosen);
    };
    return [
      ...(hasFallbacks ? [new FallbackModelAdvisor({ models })] : []),
      ...(properties.hasTimeLimits ? [new ConfiguredModelTimeouts(properties)] : []),
    ];
  }
}

/** The fallbacks of a model, each followed by its own fallbacks. No model occurs twice. */
function fallbacksOf(properties: ModelProperties, chosen: string | undefined): readonly string[] {
  const found = new Set<string>();
  const add = (name: string | undefined): void => {
    for (const next of properties.of(name).fallbacks) {
      if (next === chosen || found.has(next)) continue;
      found.add(next);
      add(next);
    }
  };
  add(chosen);
  return [...found];
}

/** Limits the time of each model as configured for its name. */
class ConfiguredModelTimeouts extends ModelTimeoutAdvisor {
  constructor(private readonly properties: ModelProperties) {
    super();
  }

  protected override limitsOf(request: ChatClientRequest): Omit<ModelTimeoutAdvisorOptions, 'order'> {
    return this.properties.of(chosenModelOf(request));
  }
}
