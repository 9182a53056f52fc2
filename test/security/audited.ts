import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { ModuleMetadata, Provider } from '@nestjs/common';
import type { AiModule } from '@nestor-ai/core';
import { AiAuditModule, type ToolAuditRecord, ToolAuditSink } from '@nestor-ai/audit';
import type { ScriptEntry } from '@nestor-ai/testing';
import { type Scene, startApplication } from '../nest/application.js';

type AiOptions = NonNullable<Parameters<typeof AiModule.forRoot>[0]>;
type Audit = NonNullable<NonNullable<AiOptions['properties']>['audit']>;

/** Keeps records in memory, unless it is told to fail. */
export class AuditList extends ToolAuditSink {
  readonly records: ToolAuditRecord[] = [];
  failure: Error | undefined;

  async write(record: ToolAuditRecord) {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    this.records.push(record);
  }
}

/** A module with `AiAuditModule`, and with a sink unless the properties name one. */
export function withAudit({ imports = [], ...metadata }: ModuleMetadata, ...providers: Provider[]): ModuleMetadata {
  return { ...metadata, imports: [AiAuditModule.forRoot({ providers }), ...imports] };
}

/** An application whose tool calls are recorded in memory. */
export async function startAudited(
  metadata: ModuleMetadata,
  script: readonly ScriptEntry[],
  audit: Audit = {},
  options: AiOptions = {},
): Promise<Scene & { readonly sink: AuditList }> {
  const sink = new AuditList();
  const scene = await startApplication(withAudit(metadata, { provide: ToolAuditSink, useValue: sink }), script, {
    ...options,
    properties: { audit },
  });
  return { ...scene, sink };
}

/** An application whose tool calls are recorded in a file. */
export function startWithFile(
  metadata: ModuleMetadata,
  script: readonly ScriptEntry[],
  file: string,
  audit: Audit = {},
  options: AiOptions = {},
): Promise<Scene> {
  const properties = { audit: { sink: 'file', file, ...audit } };
  return startApplication(withAudit(metadata), script, { ...options, properties });
}

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

/** The path of a file that is not there yet, in a directory that is removed when the tests of the file have run. */
export function newAuditFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'audit-'));
  directories.push(directory);
  return join(directory, 'audit.jsonl');
}

export function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

export function recordsIn(file: string): ToolAuditRecord[] {
  return linesOf(file).map((line) => JSON.parse(line) as ToolAuditRecord);
}

/** Records as one reads them: what began, and what came of it after how many tries. */
export function told(records: readonly ToolAuditRecord[]): string[] {
  return records.map(({ event, tool, outcome, tries }) =>
    event === 'tool-call-began' ? `${tool} began` : `${tool}: ${outcome}, ${tries} tries`,
  );
}
