import { ConsoleToolAuditSink } from '../../audit/console-tool-audit-sink.js';
import { FileToolAuditSink } from '../../audit/file-tool-audit-sink.js';
import type { ToolAuditSink } from '../../audit/tool-audit-sink.js';
import { problemsOf } from '../bootstrap-problems.js';
import type { AiProperties } from '../properties/ai-properties.js';
import type { AiApplication } from './ai-application.js';

const SINKS = { console: ConsoleToolAuditSink, file: FileToolAuditSink };

/**
 * Checks that the audit settings fit together and that tool calls are recorded if there is a sink.
 */
export function checkAudit({ properties, auditSink, toolCallingManager }: AiApplication): readonly string[] {
  const ofProperties = problemsOfProperties(properties.audit, auditSink);
  if (!auditSink) return ofProperties;
  if (typeof auditSink.write !== 'function') {
    return [...ofProperties, 'The ToolAuditSink given to AiModule has no write(). Extend ToolAuditSink.'];
  }
  return [
    ...ofProperties,
    ...(auditSink instanceof FileToolAuditSink ? problemsOf(() => auditSink.check()) : []),
    ...(toolCallingManager && !toolCallingManager.audit ? [unrecordedBy(toolCallingManager)] : []),
  ];
}

function problemsOfProperties(
  { sink, file, required, hashChain }: AiProperties['audit'],
  used: ToolAuditSink | undefined,
): readonly string[] {
  if (sink === 'file' && file === undefined) {
    return ['ai.audit.file is missing. Set it to the path of the audit file, since ai.audit.sink is file.'];
  }
  const problems: string[] = [];
  if (used && sink !== 'none' && !(used instanceof SINKS[sink])) {
    problems.push(
      `The application provides the ToolAuditSink ${used.constructor.name}, but ai.audit.sink is ${sink}. Remove one of the two.`,
    );
  }
  if (file !== undefined && sink !== 'file') {
    problems.push(
      `ai.audit.file is set, but ai.audit.sink is ${sink}. Set ai.audit.sink=file, or remove ai.audit.file.`,
    );
  }
  if (required && !used) problems.push(withoutSink('ai.audit.required'));
  if (hashChain && !used) problems.push(withoutSink('ai.audit.hash-chain'));
  return problems;
}

function withoutSink(property: string): string {
  return (
    `${property} is true, but tool calls are not recorded. Set ai.audit.sink to console or file, or provide a sink with ` +
    'AiModule.forRoot({ providers: [{ provide: ToolAuditSink, … }] }).'
  );
}

function unrecordedBy({ constructor }: object): string {
  return (
    `${constructor.name} does not record tool calls, but there is a ToolAuditSink. Extend DefaultToolCallingManager, and pass the ` +
    'injected TOOL_CALLING_MANAGER_OPTIONS to its constructor.'
  );
}
