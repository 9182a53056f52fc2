import type { JSX } from 'preact';
import type { MessageView } from '../src/view/message-view.js';
import { brief, JsonTree } from './json-tree.js';
import { LongText } from './parts.js';
import { visible } from './visible-text.js';

/** Messages of a prompt, in their order. */
export function Messages({ messages }: { messages: readonly MessageView[] }): JSX.Element {
  return (
    <ol class="messages">
      {messages.map((message, index) => (
        <li key={index} class={message.role}>
          <Message message={message} />
        </li>
      ))}
    </ol>
  );
}

export function Message({ message }: { message: MessageView }): JSX.Element {
  const { role, text, reasoning, calls = [], results = [], attachments = [] } = message;
  return (
    <>
      <span class="role">{role}</span>
      {reasoning && <LongText text={reasoning} label="Reasoning" />}
      {text && <LongText text={text} label={`Text of the ${role}`} />}
      {attachments.map((attachment, index) => (
        <p key={index} class="hint">
          {attachment}
        </p>
      ))}
      {/* The step of the call has them whole. */}
      {calls.map(({ id, name, arguments: args }) => (
        <p key={id} class="brief">
          <code>{visible(name)}</code> {brief(args)}
        </p>
      ))}
      {results.map(({ id, name, text: result, isError }) => (
        <div key={id} class={isError ? 'call bad' : 'call'}>
          <code>{visible(name)}</code> {isError ? 'failed' : 'returned'}
          <JsonTree text={result} label={`Result of ${name} as the model read it`} />
        </div>
      ))}
    </>
  );
}
