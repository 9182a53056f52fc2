import { serviceKey } from './request-services.js';
import type { ToolUi } from './tool-ui.js';

/** The rules for files from a browser: the properties `ai.ui.files.*`. */
export interface UiFileRules {
  /** The accepted MIME types. `image/*` accepts all images. Default: {@link DEFAULT_FILE_TYPES}. */
  readonly types: readonly string[];
  /**
   * The maximum size of all files of a request, in decoded bytes. Files that the model server
   * fetches do not count. Default: 10,000,000.
   */
  readonly maxBytes: number;
  /**
   * Hosts from which the model server may fetch files via `https:`, such as `cdn.example.com`.
   * Default: none.
   */
  readonly hosts: readonly string[];
}

/** The file types that most models can read. */
export const DEFAULT_FILE_TYPES: readonly string[] = Object.freeze([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'text/plain',
  'text/markdown',
  'text/csv',
  'audio/mpeg',
  'audio/wav',
]);

const DEFAULT_MAX_BYTES = 10_000_000;

/** The {@link UiSettings} of the application. */
export const UI_SETTINGS = serviceKey<UiSettings>('UiSettings');

/** What browsers may see of tool calls, and which files they may send: the properties `ai.ui.*`. */
export interface UiSettings {
  /**
   * What a browser sees of a failed call. `masked`: only that it failed. `message`: the text that
   * the model receives. Default: `masked`.
   */
  readonly errors: 'masked' | 'message';
  /** What a browser sees of the calls of tools without `@Tool({ ui })`. Default: `all`. */
  readonly content: ToolUi;
  readonly files: UiFileRules;
}

export const DEFAULT_UI_SETTINGS: UiSettings = Object.freeze({
  errors: 'masked',
  content: 'all',
  files: Object.freeze({ types: DEFAULT_FILE_TYPES, maxBytes: DEFAULT_MAX_BYTES, hosts: Object.freeze([]) }),
});
