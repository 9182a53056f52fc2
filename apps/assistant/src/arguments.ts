import { OWN_CATALOGUE } from './catalogue/read-catalogue.js';

const OPTIONS = ['--once', '--trace', '--catalogue', '--cluster', '--cluster-worker'];

/** The command line arguments of the assistant. */
export interface Arguments {
  /** Whether to exit after the questions instead of starting the HTTP server. */
  readonly once: boolean;
  /** Whether to print traces and metrics. */
  readonly trace: boolean;
  /** Whether to show turns that survive their process: `worker` in the processes that run them. */
  readonly cluster: 'no' | 'run' | 'worker';
  /** The catalogue to search; undefined for the quick start. */
  readonly catalogue: string | URL | undefined;
  /** Questions that replace the built-in ones. */
  readonly questions: readonly string[];
}

/**
 * Reads `[--once] [--trace] [--cluster] [--catalogue [FILE.jsonl] [QUESTION…]]`.
 *
 * @throws Error for an unknown option
 */
export function readArguments(given: readonly string[]): Arguments {
  const unknown = given.find((argument) => argument.startsWith('--') && !OPTIONS.includes(argument));
  if (unknown !== undefined) {
    throw new Error(
      `Unknown option ${unknown}. Use --once, --trace, --cluster or --catalogue [FILE.jsonl] [QUESTION…].`,
    );
  }
  const once = given.includes('--once');
  const trace = given.includes('--trace');
  const cluster = given.includes('--cluster-worker') ? 'worker' : given.includes('--cluster') ? 'run' : 'no';
  const at = given.indexOf('--catalogue');
  const rest = given.slice(at + 1).filter((argument) => !OPTIONS.includes(argument));
  if (at < 0) return { once, trace, cluster, catalogue: undefined, questions: [] };
  const isFile = rest[0]?.endsWith('.jsonl') === true;
  return {
    once,
    trace,
    cluster,
    catalogue: isFile ? rest[0] : OWN_CATALOGUE,
    questions: isFile ? rest.slice(1) : rest,
  };
}
