import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Advisor, isCallAdvisor, isStreamAdvisor } from '../../advisor/advisor.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { isRegisteredAdvisor } from '../decorators/register-advisor.decorator.js';
import { findProviderHosts, isScoped, type ProviderHost } from './provider-host.js';

/** Finds the providers with `@RegisterAdvisor()`. */
@Injectable()
export class AdvisorExplorer {
  #advisors: readonly Advisor[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly problems: BootstrapProblems,
  ) {}

  /** The same frozen list at each call, in the order in which Nest knows the providers. */
  get advisors(): readonly Advisor[] {
    return (this.#advisors ??= Object.freeze(this.#explore()));
  }

  /** Looks again: what was found while the application was still being made is not all there is. */
  refresh(): void {
    this.#advisors = undefined;
  }

  /** A class that several modules provide is registered once. */
  #explore(): Advisor[] {
    const found = new Map<unknown, Advisor>();
    for (const host of findProviderHosts(this.discovery)) {
      if (!isRegisteredAdvisor(host.type) || found.has(host.type)) continue;
      const advisor = this.problems.collect(() => toAdvisor(host));
      if (advisor) found.set(host.type, advisor);
    }
    return [...found.values()];
  }
}

/** @throws Error when it cannot be an advisor of all requests */
function toAdvisor(host: ProviderHost): Advisor | undefined {
  const { wrapper, type, moduleName } = host;
  if (isScoped(host)) {
    throw new Error(
      `The advisor ${type.name} in ${moduleName} is request-scoped or transient, but advisors serve all requests. Make it and ` +
        'what it injects singletons, and read what belongs to a request from request.context.',
    );
  }
  const advisor = wrapper.instance as Advisor | undefined;
  if (advisor && !isCallAdvisor(advisor) && !isStreamAdvisor(advisor)) {
    throw new Error(
      `${type.name} in ${moduleName} has @RegisterAdvisor(), but is no advisor: it has neither adviseCall() nor ` +
        'adviseStream(). Extend BaseAdvisor, or implement CallAdvisor or StreamAdvisor.',
    );
  }
  return advisor;
}
