import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit, Optional } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { isObservable, type Observable, type Subscription } from 'rxjs';
import { CONFIGURATION } from './property-source.js';
import type { StableConfiguration } from './stable-configuration.js';

/** Tells of properties that are changed while the application runs: nobody should believe that they have been heard. */
@Injectable()
export class ConfigurationWatch implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('AiModule');
  #subscription: Subscription | undefined;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: StableConfiguration | undefined,
    @Optional() @Inject(ConfigService) private readonly config: ConfigService | undefined,
  ) {}

  onModuleInit(): void {
    const { changes$ } = (this.config ?? {}) as { changes$?: Observable<{ path?: unknown; oldValue?: unknown }> };
    if (!this.configuration || !isObservable(changes$)) return;
    this.#subscription = changes$.subscribe(({ path, oldValue }) => {
      const key = String(path);
      if (!/^(ai(\.|$)|AI_)/.test(key)) return;
      this.configuration?.remember(key, oldValue);
      this.logger.warn(
        `${key} was changed while the application runs. AiModule has read its properties when it started; the change holds after a restart.`,
      );
    });
  }

  onModuleDestroy(): void {
    this.#subscription?.unsubscribe();
  }
}
