import type { NumberedRecordedEvent, RecordedEvent, TurnEventReader, TurnStreamFormat } from '@nestor-ai/turns';
import { toSafeJson } from '@nestor-ai/core/internal';
import type { UIMessageChunk } from './ui-message-chunk.js';
import { UI_MESSAGE_HEADERS } from './ui-message-headers.js';
import { UIMessageMapper } from './ui-message-mapper.js';

/**
 * Sends the turns of `TurnStreams` as AI SDK UI messages. The id of the message is the id of the turn,
 * so that a page replaces the part that it has. `AiUiModule` gives it to the routes of `AiTurnsModule`.
 */
export const UI_MESSAGE_FORMAT: TurnStreamFormat = { headers: UI_MESSAGE_HEADERS, texts: uiTextsOf };

const END_OF_STREAM = '[DONE]';

/** The chunks of the message as JSON, with the mark at the end of the stream. */
async function* uiTextsOf(reader: TurnEventReader, messageId: string, signal: AbortSignal): AsyncGenerator<string> {
  let chunks: UIMessageChunk[] = [];
  const mapper = new UIMessageMapper((chunk) => chunks.push(chunk));
  const taken = (): readonly string[] => {
    const texts = chunks.map((chunk) => toSafeJson(chunk));
    chunks = [];
    return texts;
  };
  mapper.begin(messageId);
  yield* taken();
  let end: RecordedEvent | undefined;
  for await (const batch of reader.batches(signal)) {
    for (const { event } of withoutVoid(batch)) {
      // A turn that waited for a decision has an end before the last one.
      if (end) end = undefined;
      if (event.type === 'finish' || event.type === 'error') end = event;
      else if (event.type === 'restart') mapper.restart();
      else mapper.next(event);
    }
    yield* taken();
  }
  if (signal.aborted) return;
  if (end?.type === 'finish') mapper.next(end);
  else if (end?.type === 'error') mapper.fail(end.message);
  yield* taken();
  yield END_OF_STREAM;
}

/** The events of a batch that none of its restarts makes void. */
function withoutVoid(batch: readonly NumberedRecordedEvent[]): readonly NumberedRecordedEvent[] {
  const valid: NumberedRecordedEvent[] = [];
  const first = batch[0]?.number ?? 0;
  for (const numbered of batch) {
    const { event } = numbered;
    if (event.type === 'restart') {
      while ((valid.at(-1)?.number ?? 0) > event.after) valid.pop();
      // All void events are of this batch, so that the front end has none of them.
      if (event.after >= first - 1) continue;
    }
    valid.push(numbered);
  }
  return valid;
}
