import { serviceKey } from './request-services.js';
import type { ToolUi } from './tool-ui.js';

/** The {@link UiSettings} of the application. */
export const UI_SETTINGS = serviceKey<UiSettings>('UiSettings');

/** What browsers may see of tool calls: the properties `ai.ui.*`. */
export interface UiSettings {
  /**
   * What a browser sees of a failed call. `masked`: only that it failed. `message`: the text that
   * the model receives. Default: `masked`.
   */
  readonly errors: 'masked' | 'message';
  /** What a browser sees of the calls of tools without `@Tool({ ui })`. Default: `all`. */
  readonly content: ToolUi;
}

export const DEFAULT_UI_SETTINGS: UiSettings = Object.freeze({
  errors: 'masked',
  content: 'all',
});
