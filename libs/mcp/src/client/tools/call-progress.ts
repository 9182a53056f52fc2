import type { Progress } from '@modelcontextprotocol/client';
import type { ToolContext } from '@nestor-ai/core';

/** The progress of a call, as a server reports it. */
export interface McpProgress {
  readonly progress: number;
  /** What `progress` will reach, if the server knows it. */
  readonly total?: number;
  /** Text of the server. It may be anything. */
  readonly message?: string;
}

/** The most reports of one call. A server decides how many it sends. */
const MAX_REPORTS = 1000;

/** The longest message, in characters. */
const MAX_MESSAGE = 500;

/** Passes the progress of a call on to the listeners of the turn, up to a number of reports. */
export function progressTo(context: ToolContext): (progress: Progress) => void {
  let left = MAX_REPORTS;
  return ({ progress, total, message }) => {
    if (left-- <= 0) return;
    const reported: McpProgress = {
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: message.slice(0, MAX_MESSAGE) }),
    };
    context.reportProgress(reported);
  };
}
