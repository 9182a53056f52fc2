/**
 * What a tool call does. `read`: changes nothing. `write`: makes changes that can be corrected.
 * `irreversible`: cannot be undone, such as a payment, an email or a deletion.
 */
export type ToolEffect = 'read' | 'write' | 'irreversible';

/** The effects, least serious first. */
export const TOOL_EFFECTS = ['read', 'write', 'irreversible'] as const satisfies readonly ToolEffect[];

/** What happens to an irreversible call after the model has read text from strangers. */
export const UNTRUSTED_ACTIONS = ['approve', 'refuse', 'allow'] as const;

/**
 * `approve`: a human must approve the call. `refuse`: the call does not run, and the model
 * receives the reason. `allow`: the call runs as usual.
 */
export type UntrustedAction = (typeof UNTRUSTED_ACTIONS)[number];

/** Labels that say how far to trust a tool: what its results may contain and what its calls do. */
export interface ToolLabels {
  /** What a call does. Default: `write`. */
  readonly effect?: ToolEffect;
  /**
   * Whether results and errors of the tool may contain text from strangers: web pages, emails,
   * tickets, or the answer of a model that has read them. After the model has read such text,
   * calls of `irreversible` tools need approval (`ai.tools.untrusted.then`). Default: false.
   */
  readonly untrusted?: boolean;
}
