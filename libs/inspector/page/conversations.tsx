import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConversationListView, ConversationTurnView, ConversationView } from '../src/view/conversations.js';
import { Messages } from './messages.js';
import { Badge, count, Hidden, NotLoaded, TextField } from './parts.js';
import { go, hashOf, idIn } from './place.js';
import { useLoaded, useStore } from './store.js';
import { visible } from './visible-text.js';

const MORE = 1000;

/** The conversations of the application, and the chosen one beside them. */
export function Conversations(): JSX.Element {
  const place = useStore((state) => state.place);
  const { query } = place;
  const { text = '' } = query;
  const [limit, setLimit] = useState('');
  const chosen = idIn(place, '/conversations/');
  const list = useLoaded<ConversationListView>(`conversations?limit=${limit}`);
  const { conversations = [], hidden = 0, hasMore = false } = list.value ?? {};
  const wanted = text.toLowerCase();
  const found = conversations.filter(({ id, owner = '', question }) =>
    `${id} ${owner} ${question}`.toLowerCase().includes(wanted),
  );
  return (
    <section class={chosen === undefined ? 'split' : 'split chosen'} aria-labelledby="conversations-title">
      <div class="side">
        <h2 id="conversations-title">Conversations</h2>
        <TextField
          label="Find a conversation"
          value={text}
          onChange={(value) => go({ ...place, query: { ...query, text: value } }, true)}
        />
        <NotLoaded of={list} />
        {list.value && found.length === 0 && hidden === 0 && (
          <p class="empty">
            {conversations.length > 0 ? (
              'No conversation has this text.'
            ) : (
              <>
                Nothing is remembered yet. Set <code>ai.chat.memory.enabled=true</code>, and name the conversation of a
                request with <code>.conversation(id)</code>.
              </>
            )}
          </p>
        )}
        <ul class="tools">
          {found.map(({ id, owner, question }) => (
            <li key={id} class={id === chosen ? 'chosen' : ''}>
              <a
                href={hashOf({ path: `/conversations/${encodeURIComponent(id)}`, query })}
                {...(id === chosen && { 'aria-current': 'true' as const })}
              >
                {visible(id)}
              </a>
              {owner !== undefined && <span class="hint"> of {visible(owner)}</span>}
              <p class="hint">{question}</p>
            </li>
          ))}
        </ul>
        {hasMore && <More text="Show more" onClick={() => setLimit(String(Number(limit) + MORE))} />}
        <Hidden number={hidden} noun="conversation" />
      </div>
      <div class="detail">
        {chosen === undefined ? (
          <p class="empty">Choose a conversation to see what the model sees of it.</p>
        ) : (
          <Conversation key={chosen} id={chosen} back={hashOf({ path: '/conversations', query })} />
        )}
      </div>
    </section>
  );
}

function Conversation({ id, back }: { id: string; back: string }): JSX.Element {
  const [limit, setLimit] = useState('');
  const loaded = useLoaded<ConversationView>(`conversation?id=${encodeURIComponent(id)}&limit=${limit}`);
  const { turns = [], tokens = 0, hasEarlier = false } = loaded.value ?? {};
  return (
    <section aria-labelledby="conversation-title">
      <div class="facts">
        <h2 id="conversation-title">Conversation</h2>
        <a class="back" href={back}>
          All conversations
        </a>
      </div>
      <NotLoaded of={loaded} />
      {loaded.value && <p role="status">The model sees about {count(tokens, 'token')}.</p>}
      {hasEarlier && <More text="Show earlier turns" onClick={() => setLimit(String(Number(limit) + MORE))} />}
      {turns.map((turn) => (
        <ConversationTurn key={turn.id} turn={turn} />
      ))}
    </section>
  );
}

function ConversationTurn({ turn: { isInView, summarizes, tokens, messages } }: { turn: ConversationTurnView }) {
  return (
    <article class={isInView ? 'said' : 'said left'}>
      <p class="facts">
        <Badge text={isInView ? 'in view' : 'out of view'} kind={isInView ? 'good' : ''} />
        {summarizes !== undefined && <span>summary of {count(summarizes, 'turn')}</span>}
        <span>about {count(tokens, 'token')}</span>
      </p>
      <Messages messages={messages} />
    </article>
  );
}

function More({ text, onClick }: { text: string; onClick: () => void }): JSX.Element {
  return (
    <p>
      <button type="button" class="link" onClick={onClick}>
        {text}
      </button>
    </p>
  );
}
