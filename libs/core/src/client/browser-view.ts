import { type ContentRedactor, REDACTOR } from '../model/content-redactor.js';
import type { RequestServices } from '../model/request-services.js';
import { showsInput, showsResult, type ToolUi } from '../model/tool-ui.js';
import { DEFAULT_UI_SETTINGS, UI_SETTINGS, type UiSettings } from '../model/ui-settings.js';
import { ShownContents } from './shown-contents.js';

/**
 * The key under which an event carries its browser settings. A symbol, so that it survives
 * spreads.
 */
export const BROWSER_VIEW: unique symbol = Symbol.for('nestor.BrowserView');

/** What an application shows to browsers of the events of an answer. */
export interface BrowserView {
  readonly settings: UiSettings;
  readonly redactor: ContentRedactor | undefined;
}

/** An event from a client of `AiModule`. */
export interface Viewed {
  readonly [BROWSER_VIEW]?: BrowserView;
}

/** What a stream for a browser shows of tool calls. */
export interface ToolCallDisplay {
  /**
   * `masked` or `message`, like the property `ai.ui.errors`, for this stream. Default: the
   * property. Without `AiModule`: `masked`.
   */
  readonly errors?: UiSettings['errors'];
  /**
   * What to show of all calls in this stream, whatever their tools set: `all`, `input`, `result`
   * or `none`. Default: `@Tool({ ui })`, otherwise the property `ai.ui.content`. Without
   * `AiModule`: `all`.
   */
  readonly content?: ToolUi;
}

/** The settings of an application. Undefined if they are the defaults. */
export function browserViewOf(services: RequestServices | undefined): BrowserView | undefined {
  if (!services) return undefined;
  const redactor = services.get(REDACTOR);
  const settings = services.get(UI_SETTINGS) ?? DEFAULT_UI_SETTINGS;
  const { errors, content } = DEFAULT_UI_SETTINGS;
  const isUsual = settings.errors === errors && settings.content === content;
  return isUsual && !redactor ? undefined : { settings, redactor };
}

/**
 * Replaces hidden arguments and results. An object, since a page sends it back as the arguments of
 * the call.
 */
export const HIDDEN = '{"hidden":true}';

/** Replaces the text of an error. */
export const TOOL_FAILED = 'The tool has failed.';
const DENIED = 'The call was not allowed.';

/** What to show of one call. */
export class BrowserContents extends ShownContents {
  readonly #ui: ToolUi;
  readonly #errors: UiSettings['errors'];
  readonly #isRedacted: boolean;

  /** @param ofTool the setting of the tool */
  constructor(ofTool: ToolUi | undefined, view: BrowserView | undefined, display: ToolCallDisplay) {
    super('ui', view?.redactor);
    const { settings = DEFAULT_UI_SETTINGS } = view ?? {};
    this.#ui = display.content ?? ofTool ?? settings.content;
    this.#errors = display.errors ?? settings.errors;
    this.#isRedacted = view?.redactor !== undefined;
  }

  override arguments(text: string, toolName: string): string {
    return showsInput(this.#ui) ? super.arguments(text, toolName) : HIDDEN;
  }

  override result(text: string, toolName: string): string {
    return showsResult(this.#ui) ? super.result(text, toolName) : HIDDEN;
  }

  override value(value: unknown, toolName: string): unknown {
    return showsResult(this.#ui) ? super.value(value, toolName) : JSON.parse(HIDDEN);
  }

  /** Whether to show arguments while the model writes them. A redactor needs all of them. */
  get showsGrowingArguments(): boolean {
    return showsInput(this.#ui) && !this.#isRedacted;
  }

  /** The text of an error often contains the arguments, and it replaces the result. */
  override error(text: string, toolName: string, isDenied: boolean): string {
    if (this.#errors === 'message' && this.#ui === 'all') return super.error(text, toolName, isDenied);
    return isDenied ? DENIED : TOOL_FAILED;
  }
}
