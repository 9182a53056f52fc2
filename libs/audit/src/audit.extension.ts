import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  AiExtension,
  type ExtensionContext,
  type RequestServices,
  type ToolCallingManager,
  type Turn,
  type TurnObserver,
} from '@nestor-ai/core';
import { REDACTOR } from '@nestor-ai/core/internal';
import { messageOf } from '@nestor-ai/schema';
import { AUDIT_PROPERTIES, type AuditProperties } from './audit-properties.js';
import { ConsoleToolAuditSink } from './console-tool-audit-sink.js';
import { FileToolAuditSink } from './file-tool-audit-sink.js';
import { ToolAudit } from './tool-audit.js';
import { ToolAuditSink } from './tool-audit-sink.js';

const SINKS = { console: ConsoleToolAuditSink, file: FileToolAuditSink };

type Context = ExtensionContext<typeof AUDIT_PROPERTIES>;

/** Makes the audit of an application, and records what still runs at its end. */
@Injectable()
export class AuditExtension extends AiExtension<typeof AUDIT_PROPERTIES> implements OnApplicationShutdown {
  override readonly properties = { path: 'audit', tree: AUDIT_PROPERTIES };
  /** One for each AiModule. */
  readonly #audits = new Map<Context, ToolAudit | undefined>();

  constructor(
    private readonly discovery: DiscoveryService,
    @Optional() @Inject(ToolAuditSink) private readonly given?: ToolAuditSink,
  ) {
    super();
  }

  override check(_clientNames: readonly string[], context: Context): readonly string[] {
    const { given } = this;
    const problems = [...this.#misplacedSinks(), ...problemsOf(context.values, given)];
    if (given && typeof given.write !== 'function')
      return [...problems, 'The ToolAuditSink given to AiAuditModule has no write(). Extend ToolAuditSink.'];
    const sink = this.#sinkOf(context.values);
    if (!sink) return problems;
    const manager = managerOf(context);
    return [
      ...problems,
      ...(sink instanceof FileToolAuditSink ? problemsOfFile(sink) : []),
      ...(manager && !manager.isAudited ? [unrecordedBy(manager)] : []),
    ];
  }

  override services(services: RequestServices, context: Context): void {
    if (this.#audits.has(context)) return;
    const { required, hashChain, timeout } = context.values;
    const sink = this.#sinkOf(context.values);
    const redactor = services.get(REDACTOR);
    this.#audits.set(context, sink && new ToolAudit({ sink, required, hashChain, timeout, redactor }));
  }

  override observe(_turn: Turn, _clientName: string | undefined, context: Context): TurnObserver | undefined {
    return this.#audits.get(context);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#audits.values()].map((audit) => audit?.onApplicationShutdown()));
  }

  /** The given sink, otherwise that of the properties. */
  #sinkOf({ sink, file }: AuditProperties): ToolAuditSink | undefined {
    if (this.given) return this.given;
    if (sink === 'console') return new ConsoleToolAuditSink();
    return sink === 'file' && file !== undefined ? new FileToolAuditSink({ file }) : undefined;
  }

  /** A sink that nobody asks would leave the calls unrecorded. */
  #misplacedSinks(): readonly string[] {
    return this.discovery
      .getProviders()
      .filter(({ token, instance, host }) => token === ToolAuditSink && instance !== this.given && host)
      .map(
        ({ host }) =>
          `The ToolAuditSink in ${host!.name} has no effect there. Move it to AiAuditModule.forRoot({ providers: [{ provide: ` +
          'ToolAuditSink, … }] }).',
      );
  }
}

/** Undefined if it is request-scoped. AiModule reports that. */
function managerOf(context: Context): ToolCallingManager | undefined {
  try {
    return context.toolLoop().toolCallingManager;
  } catch {
    return undefined;
  }
}

function problemsOfFile(sink: FileToolAuditSink): readonly string[] {
  try {
    sink.check();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function problemsOf(
  { sink, file, required, hashChain }: AuditProperties,
  given: ToolAuditSink | undefined,
): readonly string[] {
  if (sink === 'file' && file === undefined) {
    return ['ai.audit.file is missing. Set it to the path of the audit file, since ai.audit.sink is file.'];
  }
  const problems: string[] = [];
  if (given && sink !== 'none' && !(given instanceof SINKS[sink])) {
    problems.push(
      `The application provides the ToolAuditSink ${given.constructor.name}, but ai.audit.sink is ${sink}. Remove one of the two.`,
    );
  }
  if (file !== undefined && sink !== 'file') {
    problems.push(
      `ai.audit.file is set, but ai.audit.sink is ${sink}. Set ai.audit.sink=file, or remove ai.audit.file.`,
    );
  }
  const isRecorded = given !== undefined || sink !== 'none';
  if (required && !isRecorded) problems.push(withoutSink('ai.audit.required'));
  if (hashChain && !isRecorded) problems.push(withoutSink('ai.audit.hash-chain'));
  return problems;
}

function withoutSink(property: string): string {
  return (
    `${property} is true, but tool calls are not recorded. Set ai.audit.sink to console or file, or provide a sink with ` +
    'AiAuditModule.forRoot({ providers: [{ provide: ToolAuditSink, … }] }).'
  );
}

function unrecordedBy({ constructor }: object): string {
  return (
    `${constructor.name} does not record tool calls, but there is a ToolAuditSink. Extend DefaultToolCallingManager, and pass the ` +
    'injected TOOL_CALLING_MANAGER_OPTIONS to its constructor.'
  );
}
