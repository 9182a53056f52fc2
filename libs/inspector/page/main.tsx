import { type JSX, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { get } from './api.js';
import { Chat } from './chat.js';
import { ErrorText } from './parts.js';
import { type Settings, SettingsContext } from './settings.js';
import { Tools } from './tools.js';
import { OneTurn, Turns } from './turns.js';
import { useLoaded } from './use-loaded.js';

const TABS = [
  ['#/', 'Chat'],
  ['#/turns', 'Turns'],
  ['#/tools', 'Tools'],
] as const;

function App(): JSX.Element {
  const place = usePlace();
  const settings = useLoaded('settings', () => get<Settings>('settings'));
  const turnId = /^#\/turns\/(.+)$/.exec(place)?.[1];
  const isAt = (tab: string): boolean => (tab === '#/' ? place === '#/' : place.startsWith(tab));
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header>
        <h1>AI inspector</h1>
        <nav aria-label="Pages">
          {TABS.map(([tab, name]) => (
            <a key={tab} href={tab} {...(isAt(tab) && { 'aria-current': 'page' as const })}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        <ErrorText text={settings.error} />
        {settings.value && (
          <SettingsContext.Provider value={settings.value}>
            {!settings.value.content && (
              <p class="note">
                Contents are hidden. To see them, set <code>ai.inspector.content=true</code>.
              </p>
            )}
            {/* The chat stays, so that a turn goes on while you look at something else. */}
            <div hidden={place !== '#/'}>
              <Chat />
            </div>
            {place === '#/turns' && <Turns open={(id) => (location.hash = `#/turns/${encodeURIComponent(id)}`)} />}
            {turnId !== undefined && <OneTurn key={turnId} id={turnId} />}
            {place === '#/tools' && <Tools />}
          </SettingsContext.Provider>
        )}
      </main>
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

/** The part of the address after `#`, and the page moves when it changes. */
function usePlace(): string {
  const [place, setPlace] = useState(location.hash || '#/');
  useEffect(() => {
    const change = (): void => setPlace(location.hash || '#/');
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return place;
}

render(<App />, document.querySelector('#app')!);
