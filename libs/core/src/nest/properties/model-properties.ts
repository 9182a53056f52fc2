import { Inject, Injectable } from '@nestjs/common';
import { AiProperties, MODEL_PROPERTIES, MODEL_TIMEOUT_PROPERTIES, NAMED_MODEL_PROPERTIES } from './ai-properties.js';
import { NamedProperties, overlaid } from './named-properties.js';
import { CONFIGURATION, type PropertySource } from './property-source.js';
import { namesUnder } from './names-under.js';

const TIME_LIMITS = Object.keys(MODEL_TIMEOUT_PROPERTIES) as (keyof typeof MODEL_TIMEOUT_PROPERTIES)[];

/** How clients call models: `ai.model.*`, and `ai.models.<name>.*` for the models with a name. */
@Injectable()
export class ModelProperties {
  readonly #ofDefault: AiProperties['model'];
  readonly #named: NamedProperties<typeof NAMED_MODEL_PROPERTIES>;
  /** The names of the configured models. */
  readonly names: readonly string[];

  constructor({ model, models }: AiProperties, @Inject(CONFIGURATION) config: PropertySource | undefined) {
    this.#ofDefault = model;
    this.#named = new NamedProperties(NAMED_MODEL_PROPERTIES, ['ai', 'models'], models, config);
    this.names = namesUnder(config, ['ai', 'models'], Object.keys(NAMED_MODEL_PROPERTIES), Object.keys(models));
  }

  /** Reads the properties of the named models and returns the problems. */
  check(): readonly string[] {
    return this.names.flatMap((name) => this.#named.check(name));
  }

  /** Whether a model may only take some time. */
  get hasTimeLimits(): boolean {
    return [undefined, ...this.names].some((name) => {
      const limits = this.of(name);
      return TIME_LIMITS.some((key) => limits[key] !== undefined);
    });
  }

  /** How clients call a model. Except for its fallbacks, it defaults to how they call the model of the application. */
  of(name: string | undefined): AiProperties['model'] {
    return name === undefined ? this.#ofDefault : overlaid(MODEL_PROPERTIES, this.#ofDefault, this.#named.of(name));
  }
}
