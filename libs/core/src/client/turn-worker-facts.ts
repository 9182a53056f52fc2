/** A worker that continues a turn. */
export interface TurnWorkerFacts {
  /** The queue of long tools that it works on. It runs the calls of these tools. */
  readonly queue?: string | undefined;
  /** Whether it tries the turn again if it fails. The turn then stays `running`. Default: false. */
  readonly isRetried?: boolean;
}
