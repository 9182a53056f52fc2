import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { type FormEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ToolCall } from './tool-call';

function Chat() {
  const [text, setText] = useState('How much was order 7?');
  const { messages, sendMessage, addToolApprovalResponse, status, stop, error } = useChat({
    transport: new DefaultChatTransport({ api: '/api/chat' }),
    // Goes on by itself when the user has approved or denied.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    void sendMessage({ text });
    setText('');
  }

  return (
    <>
      {messages.map(({ id, role, parts }) => (
        <section key={id} className={role}>
          {parts.map((part, index) => {
            if (part.type === 'text') return <p key={index}>{part.text}</p>;
            if (isToolUIPart(part)) return <ToolCall key={index} part={part} onDecision={addToolApprovalResponse} />;
            return null;
          })}
        </section>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form onSubmit={submit}>
        <input value={text} onChange={({ target }) => setText(target.value)} aria-label="Message" />
        {status === 'ready' || status === 'error' ? (
          <button type="submit">Ask</button>
        ) : (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        )}
      </form>
    </>
  );
}

createRoot(document.getElementById('chat')!).render(<Chat />);
