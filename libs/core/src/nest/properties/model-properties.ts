import { Inject, Injectable } from '@nestjs/common';
import type { ModelTimeoutAdvisorOptions } from '../../advisor/model-timeout-advisor.js';
import { AiProperties, MODEL_TIMEOUT_PROPERTIES, NAMED_MODEL_PROPERTIES } from './ai-properties.js';
import { NamedProperties } from './named-properties.js';
import { CONFIGURATION, type PropertySource } from './property-source.js';
import { namesUnder } from './names-under.js';

type TimeLimit = keyof typeof MODEL_TIMEOUT_PROPERTIES;

const TIME_LIMITS = Object.keys(MODEL_TIMEOUT_PROPERTIES) as TimeLimit[];

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
      const limits = this.timeLimitsOf(name);
      return TIME_LIMITS.some((key) => limits[key] !== undefined);
    });
  }

  /** The time limits of a model. They default to those of `ai.model`. */
  timeLimitsOf(name: string | undefined): Pick<ModelTimeoutAdvisorOptions, TimeLimit> {
    if (name === undefined) return this.#ofDefault;
    const named = this.#named.of(name);
    return Object.fromEntries(TIME_LIMITS.map((key) => [key, named[key] ?? this.#ofDefault[key]]));
  }

  /** How many times to ask a model again. Undefined if the configuration does not say. */
  retryOf(name: string | undefined): number | undefined {
    return (name === undefined ? undefined : this.#named.of(name).retry) ?? this.#ofDefault.retry;
  }

  /** The names of the models to ask when this one fails, as configured. */
  fallbacksOf(name: string | undefined): readonly string[] {
    return name === undefined ? this.#ofDefault.fallbacks : this.#named.of(name).fallbacks;
  }
}
