import { ChatModelException, type Prompt } from '@nestor-ai/core';
import { type AskedModel, named } from '../failure/errors.js';

/** The AI SDK's error for something that a provider package cannot send. */
const UNSUPPORTED = 'AI_UnsupportedFunctionalityError';

/**
 * The error for a prompt with files that the provider package cannot send. Undefined for all other
 * failures.
 *
 * @param thrown the error of the provider package
 */
export function refusedMedia(thrown: unknown, { messages }: Prompt, model: AskedModel): ChatModelException | undefined {
  const { name, functionality } = (thrown ?? {}) as { name?: unknown; functionality?: unknown };
  if (name !== UNSUPPORTED) return undefined;
  const media = messages.flatMap((message) => (message.role === 'user' ? (message.media ?? []) : []));
  if (media.length === 0) return undefined;
  const types = [...new Set(media.map(({ mimeType }) => mimeType))];
  // The package usually names the type.
  const refused = types.filter((type) => String(functionality).includes(type));
  return new ChatModelException(
    `The call to ${named(model)} failed: its package cannot send the files of the message, which have the types ` +
      `${(refused.length > 0 ? refused : types).join(', ')}. Send types that the model takes, or use another model.`,
    { code: UNSUPPORTED, cause: thrown },
  );
}
