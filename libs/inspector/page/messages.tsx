import type { JSX } from 'preact';
import type { CallView, MessageView } from '../src/view/message-view.js';
import { LongText, prettyJson } from './parts.js';

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
      {calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
      {results.map(({ id, name, text: result, isError }) => (
        <div key={id} class={isError ? 'call bad' : 'call'}>
          <code>{name}</code> {isError ? 'failed' : 'returned'}
          <LongText text={prettyJson(result)} label={`Result of ${name}`} />
        </div>
      ))}
    </>
  );
}

export function Call({ call }: { call: CallView }): JSX.Element {
  return (
    <div class="call">
      <code>{call.name}</code>
      <LongText text={prettyJson(call.arguments)} label={`Arguments of ${call.name}`} />
    </div>
  );
}
