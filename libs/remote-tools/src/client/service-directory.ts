import type { AnnouncedTool, ToolsAnswer } from '../wire/messages.js';

/** A process of a service. */
export interface ServiceInstance {
  readonly service: string;
  readonly id: string;
  readonly startedAt: number;
  /** Whether calls name the process in their pattern. */
  readonly isAddressed: boolean;
}

/** A tool of a service. */
export interface ServiceTool {
  readonly service: string;
  readonly announced: AnnouncedTool;
  /** Equal for equal tools. */
  readonly key: string;
}

interface KnownInstance extends ServiceInstance {
  readonly revision: string;
  readonly tools: ReadonlyMap<string, ServiceTool>;
  readonly heardAt: number;
}

/** The processes of services that run, and their tools. Processes of one service are replicas. */
export class ServiceDirectory {
  readonly #instances = new Map<string, KnownInstance>();
  #tools: readonly ServiceTool[] | undefined;
  #turn = 0;

  /** @param ttl how long a process counts as running without an answer, in milliseconds */
  constructor(private readonly ttl: number) {}

  /** The revisions of the processes that are known. */
  get revisions(): Readonly<Record<string, string>> {
    this.#forgetSilent();
    return Object.fromEntries([...this.#instances].map(([id, { revision }]) => [id, revision]));
  }

  /** Takes the answer of a process into account. */
  hear(answer: ToolsAnswer): void {
    const { instance: id, service, startedAt, isAddressed, revision, isLeaving } = answer;
    if (isLeaving) return this.forget(id);
    const known = this.#instances.get(id);
    if (!answer.tools && known?.revision !== revision) return;
    const tools = answer.tools ? toolsOf(service, answer.tools) : known!.tools;
    this.#instances.set(id, { id, service, startedAt, isAddressed, revision, tools, heardAt: performance.now() });
    if (known?.revision !== revision) this.#tools = undefined;
  }

  forget(id: string): void {
    if (this.#instances.delete(id)) this.#tools = undefined;
  }

  /**
   * The tools of all services, sorted by service. If replicas differ, as during a deployment, the
   * replica that started last counts. The same list as before if nothing has changed.
   */
  tools(): readonly ServiceTool[] {
    this.#forgetSilent();
    return (this.#tools ??= this.#collect());
  }

  /** Whether the service runs. */
  knows(service: string): boolean {
    this.#forgetSilent();
    return [...this.#instances.values()].some((instance) => instance.service === service);
  }

  /**
   * A process that runs a tool: one that announced it like this, if there is one. Replicas take
   * turns.
   */
  pick({ service, announced: { name }, key }: ServiceTool): ServiceInstance | undefined {
    this.#forgetSilent();
    const able = [...this.#instances.values()].filter((one) => one.service === service && one.tools.has(name));
    const equal = able.filter(({ tools }) => tools.get(name)!.key === key);
    const candidates = equal.length > 0 ? equal : able;
    return candidates[this.#turn++ % candidates.length];
  }

  #collect(): readonly ServiceTool[] {
    const byAge = [...this.#instances.values()].sort((one, other) => one.startedAt - other.startedAt);
    const tools = new Map(
      byAge.flatMap(({ tools }) => [...tools.values()].map((tool) => [`${tool.service} ${tool.announced.name}`, tool])),
    );
    const sorted = [...tools].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.freeze(sorted.map(([, tool]) => tool));
  }

  #forgetSilent(): void {
    const oldest = performance.now() - this.ttl;
    for (const [id, { heardAt }] of this.#instances) if (heardAt < oldest) this.forget(id);
  }
}

function toolsOf(service: string, tools: readonly AnnouncedTool[]): ReadonlyMap<string, ServiceTool> {
  return new Map(
    tools.map((announced) => [announced.name, { service, announced, key: `${service} ${JSON.stringify(announced)}` }]),
  );
}
