/** A stored turn that a worker continues. */
export interface TurnToContinue {
  readonly id: string;
  /** The subject that started it. Undefined if unknown. */
  readonly requester?: string;
  readonly conversationId?: string;
  /** Only for a turn that has not begun: its request, and the number of its entries. */
  readonly queued?: { readonly request: Readonly<Record<string, unknown>>; readonly entries: number };
}

/** A worker that continues a turn. */
export interface TurnWorkerFacts {
  /** The queue of long tools that it works on. It runs the calls of these tools. */
  readonly queue?: string | undefined;
  /** Whether it tries the turn again if it fails. The turn then stays `running`. Default: false. */
  readonly isRetried?: boolean;
  /**
   * Called when the turn may have to wait for its conversation. Returns a function that ends the wait. If
   * it returns undefined, the turn does not wait, but fails with a `ConversationBusyException`: run
   * it again later. Default: each turn waits.
   */
  readonly startWait?: (conversationId: string) => (() => void) | undefined;
}
