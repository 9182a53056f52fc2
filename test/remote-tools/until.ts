import { offeredTools, type Scene } from '../nest/application.js';

/** Waits until something has happened in another process or on another connection. */
export async function until(isDone: () => unknown): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Asks until the model is offered other tools than before. */
export async function untilOffered(scene: Scene, isRight: (names: string[]) => boolean): Promise<void> {
  do {
    await scene.client.prompt('…').call().content();
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (!isRight(offeredTools(scene.model)));
}
