import { type JSX, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { announce, Announcer } from './announce.js';
import { acting, get } from './api.js';
import { Chat } from './chat.js';
import { useConnection } from './connection.js';
import { Conversations } from './conversations.js';
import { Bounded, ErrorText, TextField } from './parts.js';
import { go, usePlace } from './place.js';
import { type Settings, SettingsContext } from './settings.js';
import { Tools } from './tools.js';
import { Turns } from './turns.js';
import { useLoaded } from './use-loaded.js';

const TABS = [
  ['/', 'Chat'],
  ['/turns', 'Turns'],
  ['/conversations', 'Conversations'],
  ['/tools', 'Tools'],
] as const;

function App(): JSX.Element {
  const place = usePlace();
  const problem = useConnection();
  const settings = useLoaded('settings', () => get<Settings>('settings'));
  const [user, setUser] = useState('');
  // Everything on the page belongs to the user that it acts as.
  acting.as = user;
  const { path } = place;
  const isAt = (tab: string): boolean => (tab === '/' ? path === '/' : path.startsWith(tab));
  const name = TABS.find(([tab]) => isAt(tab))?.[1] ?? 'Chat';
  useEffect(() => {
    document.title = `${name} – AI inspector`;
  }, [name]);
  useEffect(() => {
    // It is there again after a start that has failed.
    if (problem === '' && settings.error !== '') settings.reload();
  }, [problem]);
  useSearchKey();
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header>
        <h1>AI inspector</h1>
        <nav aria-label="Pages">
          {TABS.map(([tab, label]) => (
            <a key={tab} href={`#${tab}`} {...(isAt(tab) && { 'aria-current': 'page' as const })}>
              {label}
            </a>
          ))}
        </nav>
        {settings.value?.impersonate && (
          <ActAs
            onChange={(name) => {
              announce('');
              setUser(name);
            }}
          />
        )}
        <ThemeSwitch />
      </header>
      <Announcer />
      <main id="content" tabIndex={-1}>
        <ErrorText text={problem || settings.error} />
        {settings.value && (
          <SettingsContext.Provider value={settings.value} key={user}>
            {!settings.value.content && (
              <p class="note">
                Contents are hidden. To see them, set <code>ai.inspector.content=true</code>.
              </p>
            )}
            {/* The chat stays, so that a turn goes on while you look at something else. */}
            <div hidden={path !== '/'}>
              <Chat />
            </div>
            <Bounded name={name} key={name}>
              {path.startsWith('/turns') && <Turns place={place} />}
              {path.startsWith('/conversations') && <Conversations place={place} />}
              {path.startsWith('/tools') && <Tools place={place} />}
            </Bounded>
          </SettingsContext.Provider>
        )}
      </main>
    </>
  );
}

/** Chooses the user whose turns are shown and run. Takes effect when the field is left. */
function ActAs({ onChange }: { onChange: (user: string) => void }): JSX.Element {
  const [text, setText] = useState('');
  return (
    <form
      class="as"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim());
      }}
      onFocusOut={() => onChange(text.trim())}
    >
      <TextField label="As user" value={text} onChange={setText} />
    </form>
  );
}

const THEME = 'nestor-inspector-theme';

function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(() => {
    try {
      return localStorage.getItem(THEME) ?? '';
    } catch {
      return '';
    }
  });
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(THEME, theme);
    } catch {
      // The browser may refuse it. Then the next page has the theme of the system.
    }
  }, [theme]);
  return (
    <label class="theme">
      <span class="hidden">Theme</span>
      <select value={theme} onChange={({ currentTarget }) => setTheme(currentTarget.value)}>
        <option value="">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

/** ⌘K, or Ctrl and K, looks for a turn. */
function useSearchKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      go({ path: '/turns', query: {} });
      setTimeout(() => document.querySelector<HTMLElement>('.side input')?.focus());
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

render(<App />, document.querySelector('#app')!);
