import { createContext } from 'preact';

/** What the server says about itself. */
export interface Settings {
  readonly clients: readonly string[];
  readonly content: boolean;
  readonly impersonate: boolean;
  readonly writesTests: boolean;
}

export const SettingsContext = createContext<Settings>({
  clients: [],
  content: false,
  impersonate: false,
  writesTests: false,
});
