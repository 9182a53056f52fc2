import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Advisor, isCallAdvisor, isStreamAdvisor } from '../../advisor/advisor.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { clientsOfAdvisor } from '../decorators/register-advisor.decorator.js';
import { findProviderHosts, isScoped, type ProviderHost } from '../hosts/provider-host.js';

/** Finds the providers with `@RegisterAdvisor()`. */
@Injectable()
export class AdvisorExplorer {
  #registered: ReadonlyMap<Advisor, readonly string[]> | undefined;
  readonly #ofClient = new Map<string, readonly Advisor[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly problems: BootstrapProblems,
  ) {}

  /** The advisors that join a client: the same frozen list at each call, in the order in which Nest knows the providers. */
  of(clientName: string): readonly Advisor[] {
    let advisors = this.#ofClient.get(clientName);
    if (!advisors) {
      const joining = [...this.#advisors].filter(([, clients]) => clients.includes(clientName));
      advisors = Object.freeze(joining.map(([advisor]) => advisor));
      this.#ofClient.set(clientName, advisors);
    }
    return advisors;
  }

  /** The names of the clients that advisors are to join, each with who says so. */
  get joined(): readonly { readonly clientName: string; readonly advisorName: string }[] {
    return [...this.#advisors].flatMap(([advisor, clients]) =>
      clients.map((clientName) => ({ clientName, advisorName: advisor.constructor.name })),
    );
  }

  /** Looks again: what was found while the application was still being made is not all there is. */
  refresh(): void {
    this.#registered = undefined;
    this.#ofClient.clear();
  }

  /** A class that several modules provide is registered once. */
  get #advisors(): ReadonlyMap<Advisor, readonly string[]> {
    if (this.#registered) return this.#registered;
    const found = new Map<unknown, readonly [Advisor, readonly string[]]>();
    for (const host of findProviderHosts(this.discovery)) {
      const clients = clientsOfAdvisor(host.type);
      if (!clients || found.has(host.type)) continue;
      const advisor = this.problems.collect(() => toAdvisor(host));
      if (advisor) found.set(host.type, [advisor, clients]);
    }
    return (this.#registered = new Map(found.values()));
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
