/**
 * Records of the tool calls of `@nestor-ai/core`.
 *
 * @module @nestor-ai/audit
 */
export { AiAuditModule, type AiAuditModuleOptions } from './ai-audit.module.js';
export { ConsoleToolAuditSink } from './console-tool-audit-sink.js';
export { ToolAudit, type ToolAuditOptions } from './tool-audit.js';
export type { ToolAuditRecord } from './tool-audit-record.js';
export { ToolAuditSink } from './tool-audit-sink.js';
export { type ToolAuditVerification, verifyToolAudit } from './verify-tool-audit.js';
