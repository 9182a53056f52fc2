import { RemoteToolCallbackProvider } from '@nestor-ai/remote-tools';
import { offeredTools, type Scene } from '../nest/application.js';

/** Asks until the model is offered other tools than before. */
export async function untilOffered(scene: Scene, isRight: (names: string[]) => boolean): Promise<void> {
  do {
    await scene.client.prompt('…').call().content();
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (!isRight(offeredTools(scene.model)));
}

/** Waits until a service has announced a tool, without asking the model. */
export async function untilAnnounced({ app }: Scene, toolName: string): Promise<void> {
  const provider = app.get(RemoteToolCallbackProvider);
  const isKnown = async (): Promise<boolean> =>
    (await provider.getToolCallbacks()).some(({ toolDefinition }) => toolDefinition.name === toolName);
  while (!(await isKnown().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20));
}
