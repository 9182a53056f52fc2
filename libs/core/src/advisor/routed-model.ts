import type { ChatModel } from '../model/chat-model.js';
import { MODELS, type ModelServices } from '../model/model-services.js';
import { scopeOf } from '../model/scoped-options.js';
import type { ChatClientRequest } from './chat-client-exchange.js';
import { chosenModelOf, forOtherModel } from './other-model.js';

/** A model, and the request as it is meant for it. */
export interface RoutedModel {
  readonly chatModel: ChatModel;
  readonly request: ChatClientRequest;
}

/**
 * Finds the model that the request chooses with its option `model`. Undefined for a request that
 * chooses none, and outside an application: the model of the client then reads the option itself.
 */
export function routedModelOf(
  request: ChatClientRequest,
  current: ChatModel,
): Promise<RoutedModel | undefined> | undefined {
  const name = chosenModelOf(request);
  if (name === undefined) return undefined;
  const models = scopeOf(request.prompt.options)?.services?.get(MODELS);
  return models && route(request, name, current, models);
}

async function route(
  request: ChatClientRequest,
  name: string,
  current: ChatModel,
  models: ModelServices,
): Promise<RoutedModel | undefined> {
  const chatModel = await models.resolve(name, current);
  if (!chatModel) return undefined;
  if (typeof chatModel.call !== 'function' || typeof chatModel.stream !== 'function') {
    throw new TypeError(`The ModelRouter returned no ChatModel for '${name}'. Return a ChatModel, or undefined.`);
  }
  return { chatModel, request: forOtherModel(request, chatModel) };
}
