export { ConsoleToolAuditSink } from './console-tool-audit-sink.js';
export { ToolAudit } from './tool-audit.js';
export type { ToolAuditRecord } from './tool-audit-record.js';
export { ToolAuditSink } from './tool-audit-sink.js';
export { type ToolAuditVerification, verifyToolAudit } from './verify-tool-audit.js';
