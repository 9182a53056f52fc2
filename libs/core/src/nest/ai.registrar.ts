import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { AiBootstrapException, BootstrapCheck, BootstrapProblems } from './bootstrap-problems.js';
import { AiApplication } from './checks/ai-application.js';
import { BOOTSTRAP_RULES, BOOTSTRAP_WARNINGS } from './checks/bootstrap-rules.js';
import { toolTable } from './discovery/tool-table.js';

/** Has the application explored and checked when it is made, and throws every mistake in one error. */
@Injectable()
export class AiRegistrar implements OnModuleInit {
  private readonly logger = new Logger('AiModule');

  constructor(
    private readonly application: AiApplication,
    private readonly problems: BootstrapProblems,
    private readonly bootstrap: BootstrapCheck,
  ) {
    // Whoever makes clients cannot inject who checks them.
    bootstrap.checker = this;
  }

  /** @throws AiBootstrapException with all problems found, those of another `AiModule` in the application included */
  onModuleInit(): void {
    const all = this.application.discovery.getProviders().filter(({ token }) => token === AiRegistrar);
    const registrars = all.map(({ instance }) => instance as AiRegistrar);
    const unchecked = registrars.filter(({ bootstrap }) => !bootstrap.isOver);
    // The first one checks for all.
    if (unchecked.length === 0) return;
    for (const { application } of registrars) application.emitter.complete();
    // By now every provider is there; what was found before that is not to be relied on.
    for (const { application } of unchecked) application.explore();
    this.#checkAll(unchecked);
    if (registrars.length > 1) {
      this.logger.warn(
        `AiModule.forRoot() is imported ${registrars.length} times, each time with clients and settings of its own. Import it once, and ` +
          'use AiModule.forFeature() for more clients.',
      );
    }
  }

  /** @throws AiBootstrapException with all problems found, once every provider is there */
  ensureChecked(): void {
    if (this.application.registry.isComplete) this.#checkAll([this]);
  }

  #checkAll(registrars: readonly AiRegistrar[]): void {
    const problems = new Set(registrars.flatMap((registrar) => registrar.check()));
    if (problems.size > 0) throw new AiBootstrapException([...problems]);
    registrars[0]!.logTools();
    const warnings = registrars.flatMap(({ application }) => BOOTSTRAP_WARNINGS.flatMap((rule) => rule(application)));
    for (const warning of new Set(warnings)) this.logger.warn(warning);
  }

  /** @returns what is wrong; whoever asks again after that is told again */
  check(): readonly string[] {
    for (const rule of BOOTSTRAP_RULES) this.problems.add(...rule(this.application));
    this.bootstrap.isOver = this.problems.list.length === 0;
    return this.problems.list;
  }

  logTools(): void {
    const { registry, properties } = this.application;
    for (const { name, callback, host } of registry.found) {
      this.logger.debug(`Tool '${name}' is ${callback.origin} of ${host.moduleName}`, {
        tool: name,
        module: host.moduleName,
      });
    }
    if (properties.tools.observations.logTools) this.logger.log(toolTable(registry.list()));
  }
}
