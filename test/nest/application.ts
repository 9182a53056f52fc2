import { afterAll } from '@jest/globals';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { AiModule, ChatClient } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';

export interface Scene {
  readonly app: INestApplication;
  readonly client: ChatClient;
  readonly model: ScriptedChatModel;
}

const started: INestApplication[] = [];
afterAll(async () => {
  for (const app of started.splice(0)) await app.close();
});

type AiOptions = Parameters<typeof AiModule.forRoot>[0];

/** A whole Nest application with AiModule and a scripted model. It is closed when the tests of the file have run. */
export async function startApplication(
  metadata: ModuleMetadata,
  script: readonly ScriptEntry[] = [],
  options: AiOptions = {},
  customise: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
): Promise<Scene> {
  const model = new ScriptedChatModel(script);
  const { imports = [], ...rest } = metadata;
  const builder = Test.createTestingModule({
    imports: [AiModule.forRoot({ chatModel: model, ...options }), ...imports],
    ...rest,
  });
  const app = (await customise(builder).compile()).createNestApplication({ logger: false });
  await app.init();
  started.push(app);
  return { app, client: app.get(ChatClient), model };
}

/** The names of the tools that the model was offered. */
export function offeredTools(model: ScriptedChatModel): string[] {
  return (model.lastPrompt?.options?.toolCallbacks ?? []).map(({ toolDefinition }) => toolDefinition.name);
}

/** What bootstrapping an application fails with. */
export async function bootstrapError(metadata: ModuleMetadata, options: AiOptions = {}): Promise<Error> {
  return startApplication(metadata, [], options).then(
    () => new Error('The application started.'),
    (error: unknown) => error as Error,
  );
}

/** What a model does that calls one tool and then answers. */
export function callOf(name: string, input: object = {}): ScriptEntry[] {
  return [{ toolCalls: [toolCall(name, input)] }, 'done'];
}

/** What the tool answered that was called last. */
export function resultOf({ model }: Scene): string {
  const last = model.lastPrompt!.messages.at(-1)!;
  return last.role === 'tool' ? last.responses[0]!.responseData : 'no tool ran';
}

/** Asks something, and gives what the tool answered. */
export async function askForResult(scene: Scene): Promise<string> {
  await scene.client.prompt('Go').call().content();
  return resultOf(scene);
}
