import { Fragment, type JSX, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Chat } from './chat.js';
import { Conversations } from './conversations.js';
import { Bounded, ErrorText, TextField } from './parts.js';
import { go } from './place.js';
import { actAs, connect, type Settings, useLoaded, useStore } from './store.js';
import { Tools } from './tools.js';
import { Turns } from './turns.js';

const TABS = [
  ['/', 'Chat'],
  ['/turns', 'Turns'],
  ['/conversations', 'Conversations'],
  ['/tools', 'Tools'],
] as const;

function App(): JSX.Element {
  const path = useStore(({ place }) => place.path);
  const problem = useStore((state) => state.problem);
  const user = useStore((state) => state.user);
  const settings = useLoaded<Settings>('settings');
  const isAt = (tab: string): boolean => (tab === '/' ? path === '/' : path.startsWith(tab));
  const name = TABS.find(([tab]) => isAt(tab))?.[1] ?? 'Chat';
  useEffect(() => {
    document.title = `${name} – AI inspector`;
  }, [name]);
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
        {settings.value?.impersonate && <ActAs />}
        <ThemeSwitch />
      </header>
      <Announcer />
      <main id="content" tabIndex={-1}>
        <ErrorText text={problem || settings.error} />
        {settings.value && (
          <Fragment key={user}>
            {!settings.value.content && (
              <p class="note">
                Contents are hidden. To see them, set <code>ai.inspector.content=true</code>.
              </p>
            )}
            {/* The chat stays, so that a turn goes on while you look at something else. */}
            <div hidden={path !== '/'}>
              <Bounded name="Chat">
                <Chat />
              </Bounded>
            </div>
            <Bounded name={name} key={name}>
              {path.startsWith('/turns') && <Turns />}
              {path.startsWith('/conversations') && <Conversations />}
              {path.startsWith('/tools') && <Tools />}
            </Bounded>
          </Fragment>
        )}
      </main>
    </>
  );
}

/** What users of screen readers are told. */
function Announcer(): JSX.Element {
  return (
    <div role="status" class="hidden">
      {useStore(({ said }) => said)}
    </div>
  );
}

/** Chooses the user whose turns are shown and run. Takes effect when the field is left. */
function ActAs(): JSX.Element {
  const [text, setText] = useState('');
  return (
    <form
      class="as"
      onSubmit={(event) => {
        event.preventDefault();
        actAs(text.trim());
      }}
      onFocusOut={() => actAs(text.trim())}
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
function search(event: KeyboardEvent): void {
  if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  go({ path: '/turns', query: {} });
  setTimeout(() => document.querySelector<HTMLElement>('.side input')?.focus());
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

addEventListener('keydown', search);
connect();
render(<App />, document.querySelector('#app')!);
