import { Injectable } from '@nestjs/common';
import { type Advisor, isCallAdvisor, isStreamAdvisor } from '../../advisor/advisor.js';
import { Extensions } from '../extensions/extensions.js';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { clientsOfAdvisor } from '../decorators/register-advisor.decorator.js';
import { isScoped, type ProviderHost, ProviderHosts } from '../hosts/provider-host.js';

/** Finds the providers with `@RegisterAdvisor()`, and the advisors of extensions. */
@Injectable()
export class AdvisorExplorer {
  #registered: ReadonlyMap<Advisor, readonly string[]> | undefined;
  readonly #ofClient = new Map<string, readonly Advisor[]>();

  constructor(
    private readonly hosts: ProviderHosts,
    private readonly problems: BootstrapProblems,
    private readonly extensions: Extensions,
  ) {}

  /**
   * The advisors of a client, in Nest's order of providers. Returns the same frozen list each
   * time.
   */
  of(clientName: string): readonly Advisor[] {
    let advisors = this.#ofClient.get(clientName);
    if (!advisors) {
      const joining = [...this.#advisors].filter(([, clients]) => clients.includes(clientName));
      advisors = Object.freeze([...joining.map(([advisor]) => advisor), ...this.extensions.advisorsOf(clientName)]);
      this.#ofClient.set(clientName, advisors);
    }
    return advisors;
  }

  /** For each advisor: the names of the clients that its decorator lists. */
  get joined(): readonly { readonly clientName: string; readonly advisorName: string }[] {
    return [...this.#advisors].flatMap(([advisor, clients]) =>
      clients.map((clientName) => ({ clientName, advisorName: advisor.constructor.name })),
    );
  }

  /** Searches again, since earlier results may be incomplete. */
  refresh(): void {
    this.#registered = undefined;
    this.#ofClient.clear();
  }

  /** Each class once, even if several modules provide it. */
  get #advisors(): ReadonlyMap<Advisor, readonly string[]> {
    if (this.#registered) return this.#registered;
    const found = new Map<unknown, readonly [Advisor, readonly string[]]>();
    for (const host of this.hosts.all) {
      const clients = clientsOfAdvisor(host.type);
      if (!clients || found.has(host.type)) continue;
      const advisor = this.problems.collect(() => toAdvisor(host));
      if (advisor) found.set(host.type, [advisor, clients]);
    }
    return (this.#registered = new Map(found.values()));
  }
}

/** @throws Error if the provider cannot serve as an advisor */
function toAdvisor(host: ProviderHost): Advisor | undefined {
  const { wrapper, type, moduleName } = host;
  if (isScoped(host)) {
    throw new Error(
      `The advisor ${type.name} in ${moduleName} is request-scoped or transient, but advisors serve all requests. Make it and ` +
        'its dependencies singletons, and read the data of a request from request.context.',
    );
  }
  const advisor = wrapper.instance as Advisor | undefined;
  if (advisor && !isCallAdvisor(advisor) && !isStreamAdvisor(advisor)) {
    throw new Error(
      `${type.name} in ${moduleName} has @RegisterAdvisor(), but is not an advisor: it has neither adviseCall() nor ` +
        'adviseStream(). Extend BaseAdvisor, or implement CallAdvisor or StreamAdvisor.',
    );
  }
  return advisor;
}
