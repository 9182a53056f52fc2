import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { AiBootstrapException, BootstrapProblems } from './bootstrap-problems.js';
import { AiApplication } from './checks/ai-application.js';
import { BOOTSTRAP_RULES, BOOTSTRAP_WARNINGS } from './checks/bootstrap-rules.js';
import { checkPluginMetadata } from './checks/plugin-metadata.rule.js';
import { warnOfTypes } from './plugin-metadata/plugin-metadata.js';
import { describeName } from '../model/tool-definition.js';
import type { ToolRegistration } from './discovery/tool-registration.js';

const NO_TOOLS =
  'There are no tools. List the classes with @Tool() methods among the providers of a module that is imported.';

/** How many tools the line names. */
const MAX_NAMED = 5;

/** The line about tools without a description. Undefined if there are none. */
function undescribedText(tools: readonly ToolRegistration[]): string | undefined {
  const names = tools.filter(({ name, description }) => description === describeName(name)).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const more = names.length - MAX_NAMED;
  const named = [...names.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return (
    `Tools without a description: ${named}. The model knows only the words of their names. Say what each does and ` +
    "when to use it: @Tool({ description: '…' }), or with the compiler plugin a comment above the method."
  );
}

/** Explores and checks the application when it starts. Throws one error with all problems. */
@Injectable()
export class AiRegistrar implements OnModuleInit {
  private readonly logger = new Logger('AiModule');

  constructor(
    private readonly application: AiApplication,
    private readonly problems: BootstrapProblems,
  ) {
    // A client factory cannot inject this class, since this class depends on it.
    problems.checker = this;
  }

  /** @throws AiBootstrapException with all problems found, including those of other `AiModule`s */
  onModuleInit(): void {
    const registrars = this.application.hosts.of(AiRegistrar).map(({ instance }) => instance as AiRegistrar);
    const unchecked = registrars.filter(({ problems }) => !problems.isOver);
    // The first registrar checks for all of them.
    if (unchecked.length === 0) return;
    // All providers exist now. Earlier results may be incomplete.
    for (const { application } of unchecked) application.explore();
    this.#checkAll(unchecked);
    if (registrars.length > 1) {
      this.logger.warn(
        `AiModule.forRoot() is imported ${registrars.length} times. Each import has its own clients and settings. Import it once, and use ` +
          'AiModule.forFeature() for more clients.',
      );
    }
  }

  /** @throws AiBootstrapException with all problems found, as soon as all providers exist */
  ensureChecked(): void {
    if (this.application.registry.isComplete) this.#checkAll([this]);
  }

  #checkAll(registrars: readonly AiRegistrar[]): void {
    const problems = new Set(registrars.flatMap((registrar) => registrar.check()));
    if (problems.size > 0) throw new AiBootstrapException([...problems]);
    registrars[0]!.logTools();
    for (const rule of BOOTSTRAP_WARNINGS) {
      const warn = rule === checkPluginMetadata ? warnOfTypes : (text: string) => this.logger.warn(text);
      for (const text of new Set(registrars.flatMap(({ application }) => rule(application)))) warn(text);
    }
  }

  /** @returns all problems, also on later calls */
  check(): readonly string[] {
    for (const rule of BOOTSTRAP_RULES) this.problems.add(...rule(this.application));
    this.problems.isOver = this.problems.list.length === 0;
    return this.problems.list;
  }

  logTools(): void {
    const { registry } = this.application;
    for (const { name, callback, host } of registry.found) {
      // No parameters beside the text: Nest 11 prints them as four more lines.
      this.logger.debug(`Tool '${name}' is ${callback.origin} of ${host.moduleName}`);
    }
    const tools = registry.list();
    if (tools.length === 0 && !registry.mayGrow) this.logger.log(NO_TOOLS);
    const undescribed = undescribedText(tools);
    if (undescribed !== undefined) this.logger.log(undescribed);
  }
}
