import { type DynamicToolUIPart, getToolName, type ToolUIPart } from 'ai';

interface Props {
  part: ToolUIPart | DynamicToolUIPart;
  onDecision: (decision: { id: string; approved: boolean }) => unknown;
}

/** A tool call with its result, or with two buttons while it waits for approval. */
export function ToolCall({ part, onDecision }: Props) {
  return (
    <div className="tool">
      <code>
        {getToolName(part)} {JSON.stringify(part.input)}
      </code>
      {part.state === 'output-available' && <code>→ {JSON.stringify(part.output)}</code>}
      {part.state === 'output-error' && <code>failed: {part.errorText}</code>}
      {part.state === 'approval-requested' && (
        <>
          <button onClick={() => onDecision({ id: part.approval.id, approved: true })}>Approve</button>
          <button onClick={() => onDecision({ id: part.approval.id, approved: false })}>Deny</button>
        </>
      )}
    </div>
  );
}
