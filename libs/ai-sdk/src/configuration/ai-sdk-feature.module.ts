import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { type ChatModel, getChatModelToken } from '@nestor-ai/core';
import type { ModelOptions } from './ai-sdk.module-definition.js';
import { CONFIGURED_MODELS, type ConfiguredModels } from './configured-models.js';
import { addModel } from './make-models.js';
import { UnavailableChatModel } from './unavailable-chat-model.js';

/** A model of `AiSdkModule.forFeature()`. */
export interface FeatureModel extends Omit<ModelOptions, 'name'> {
  /** The name for `@InjectChatModel(name)` and for the properties under `ai.models.<name>`. */
  name: string;
  /** The name of the model at its provider. */
  modelName?: string;
}

/** The module of one `AiSdkModule.forFeature()`. */
@Module({})
export class AiSdkFeatureModule {
  static of(given: string | FeatureModel | readonly (string | FeatureModel)[]): DynamicModule {
    const models = [given].flat();
    for (const model of models) requireNamed(model);
    return {
      module: AiSdkFeatureModule,
      providers: models.map((model) => (typeof model === 'string' ? knownModel(model) : ownModel(model))),
      exports: models.map((model) => getChatModelToken(typeof model === 'string' ? model : model.name)),
    };
  }
}

/** @throws TypeError for a model without a name */
function requireNamed(model: unknown): void {
  const name: unknown = typeof model === 'string' ? model : (model as FeatureModel | undefined)?.name;
  if (typeof name === 'string' && name.trim() !== '') return;
  throw new TypeError(
    "AiSdkModule.forFeature() got a model without a name. Pass names, such as 'fast', and models with a name, such as " +
      "{ name: 'fast', model }.",
  );
}

function knownModel(name: string): Provider {
  return {
    provide: getChatModelToken(name),
    inject: [CONFIGURED_MODELS],
    useFactory: (models: ConfiguredModels): ChatModel => {
      const model = models.get(name);
      if (model) return model;
      const problem =
        `AiSdkModule.forFeature() names the model '${name}', which is not configured. Set ai.models.${name}.provider and ` +
        `ai.models.${name}.name, or describe it in AiSdkModule.forRoot({ models }).`;
      models.report(name, [problem]);
      return new UnavailableChatModel([problem]);
    },
  };
}

function ownModel({ name, modelName, ...others }: FeatureModel): Provider {
  const options = { ...others, ...(modelName !== undefined && { name: modelName }) };
  return {
    provide: getChatModelToken(name),
    inject: [CONFIGURED_MODELS, { token: ConfigService, optional: true }],
    useFactory: async (models: ConfiguredModels, config: ConfigService | undefined): Promise<ChatModel> => {
      await addModel(models, name, options, config);
      return models.get(name)!;
    },
  };
}
