import type { Media } from '../model/content-part.js';
import type { ContentRedactor } from '../model/content-redactor.js';
import type { Source } from '../model/provider-tool-call.js';
import { NOT_SHOWN, redacted } from '../observability/redacted.js';
import { BrowserContents, type BrowserView, type ToolCallDisplay } from './browser-view.js';
import type { FileEvent, ModelEvent, ProviderToolResultEvent, ToolInputDeltaEvent } from './model-events.js';
import { shownCall, toText } from './shown-contents.js';

/** A {@link ModelEvent} as it is sent to a browser. */
export type PublicModelEvent =
  | Exclude<ModelEvent, FileEvent | ToolInputDeltaEvent>
  | PublicFileEvent
  // A log would have the text once for each of its words.
  | Omit<ToolInputDeltaEvent, 'text' | 'input' | 'ui'>;

/** A picture or a file that the model made. `data` is its address, or its content as a `data:` URL. */
export interface PublicFileEvent extends Omit<FileEvent, 'media'> {
  readonly media: Pick<Media, 'mimeType' | 'name'> & { readonly data: string };
}

/**
 * Removes what only the application may see. Sources and files are part of the answer, like text.
 * Calls of provider tools are treated like calls of your tools.
 *
 * @returns undefined if a browser may not see the event
 */
export function toPublicModelEvent(
  event: ModelEvent,
  view: BrowserView | undefined,
  display: ToolCallDisplay,
): PublicModelEvent | undefined {
  const { type, round } = event;
  switch (type) {
    case 'source':
      return { type, source: publicSource(event.source, view?.redactor), round };
    case 'file': {
      const { mimeType, name } = event.media;
      return { type, media: { mimeType, data: urlOf(event.media), ...(name !== undefined && { name }) }, round };
    }
    case 'provider-tool-call':
      return { type, toolCall: shownCall(event.toolCall, new BrowserContents(event.ui, view, display)), round };
    case 'provider-tool-result': {
      const contents = new BrowserContents(event.ui, view, display);
      const toolCall = shownCall(event.toolCall, contents);
      const { isError } = event;
      return { type, toolCall, result: shownResult(event, contents), ...(isError && { isError }), round };
    }
    case 'tool-input-delta': {
      const { toolCall, delta, isProviderExecuted } = event;
      if (!new BrowserContents(event.ui, view, display).showsGrowingArguments) return undefined;
      return { type, toolCall, delta, ...(isProviderExecuted && { isProviderExecuted }), round };
    }
  }
}

function shownResult({ toolCall, result, isError }: ProviderToolResultEvent, contents: BrowserContents): unknown {
  if (!isError) return contents.value(result, toolCall.name);
  return contents.error(toText(result) ?? NOT_SHOWN, toolCall.name, false);
}

/** Data of the provider is dropped, since it may contain anything. */
function publicSource({ type, id, url, title, mimeType, name }: Source, redactor: ContentRedactor | undefined): Source {
  const shown = (text: string): string => redacted(redactor, text, { sink: 'ui', kind: 'completion' });
  return {
    type,
    id,
    ...(url !== undefined && { url: shown(url) }),
    ...(title !== undefined && { title: shown(title) }),
    ...(mimeType !== undefined && { mimeType }),
    ...(name !== undefined && { name: shown(name) }),
  };
}

/** An address that a page can show. */
export function urlOf({ data, mimeType }: Media): string {
  if (data instanceof URL) return data.href;
  if (typeof data === 'string' && URL.canParse(data)) return data;
  const content = typeof data === 'string' ? data : Buffer.from(data).toString('base64');
  return `data:${mimeType};base64,${content}`;
}
