import type { Provider } from '@nestjs/common';
import { ConsoleToolAuditSink } from '../audit/console-tool-audit-sink.js';
import { FileToolAuditSink } from '../audit/file-tool-audit-sink.js';
import { ToolAudit } from '../audit/tool-audit.js';
import { ToolAuditSink } from '../audit/tool-audit-sink.js';
import { ContentRedactor } from '../model/content-redactor.js';
import { AiProperties } from './properties/ai-properties.js';

/** The sink that the properties select. A provider of the application replaces it. */
export const AUDIT_SINK: Provider = {
  provide: ToolAuditSink,
  inject: [AiProperties],
  useFactory: ({ audit: { sink, file } }: AiProperties): ToolAuditSink | undefined => {
    if (sink === 'console') return new ConsoleToolAuditSink();
    // If the file is missing, a bootstrap rule reports it.
    return sink === 'file' && file !== undefined ? new FileToolAuditSink({ file }) : undefined;
  },
};

/** Records the tool calls of the application. Undefined without a sink. */
export const TOOL_AUDIT: Provider = {
  provide: ToolAudit,
  inject: [AiProperties, ToolAuditSink, ContentRedactor],
  useFactory: (
    { audit: { required, hashChain, timeout } }: AiProperties,
    sink: ToolAuditSink | undefined,
    redactor: ContentRedactor | undefined,
  ): ToolAudit | undefined => sink && new ToolAudit({ sink, required, hashChain, timeout, redactor }),
};
