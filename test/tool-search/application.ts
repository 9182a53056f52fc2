import type { ModuleMetadata } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import {
  type AiModule,
  FunctionToolCallback,
  offeredToolDefinitions,
  type Prompt,
  StaticToolCallbackProvider,
  type ToolCallback,
} from '@nestor-ai/core';
import type { ScriptEntry } from '@nestor-ai/testing';
import { ToolSearchModule } from '@nestor-ai/tool-search';
import { type Scene, startApplication } from '../nest/application.js';

type ForRoot = Parameters<typeof ToolSearchModule.forRoot>[0];

/** An application with the tool search enabled by its configuration alone. */
export function startWithSearch(
  metadata: ModuleMetadata,
  script: readonly ScriptEntry[],
  search: Record<string, unknown> = {},
  options: {
    readonly forRoot?: ForRoot;
    readonly ai?: Parameters<typeof AiModule.forRoot>[0];
    readonly config?: object;
  } = {},
): Promise<Scene> {
  const client = { 'tool-search-advisor': { enabled: true, ...search } };
  const values = { ai: { chat: { client } }, ...options.config };
  const { imports = [], ...rest } = metadata;
  const config = ConfigModule.forRoot({
    isGlobal: true,
    ignoreEnvFile: true,
    ignoreEnvVars: true,
    load: [() => values],
  });
  return startApplication(
    { ...rest, imports: [config, ToolSearchModule.forRoot(options.forRoot), ...imports] },
    script,
    options.ai,
  );
}

/** The names of the tools whose definitions a model was sent. */
export function sent(prompt: Prompt | undefined): string[] {
  return offeredToolDefinitions(prompt?.options).map(({ name }) => name);
}

/** A tool that answers with its own name. */
export function tool(name: string, description: string, metadata: Record<string, unknown> = {}): ToolCallback {
  return new FunctionToolCallback({
    name,
    description,
    toolFunction: () => `${name} ran`,
    toolMetadata: { returnDirect: false, ...metadata },
  });
}

/** Tools that a whole application has. */
export function provided(...tools: readonly ToolCallback[]) {
  return { provide: 'tools', useValue: new StaticToolCallbackProvider(tools) };
}
