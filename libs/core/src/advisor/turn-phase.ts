/**
 * The phase of a turn. `fresh`: not started. `running`: the model or its tools are working.
 * `suspended`: calls wait for approval, and the turn is stored. `uncertain`: the turn is stored,
 * and some of its calls may have run. `claimed`: only this request may resume it, and not all of
 * its calls have ended. `answered`, `failed`: the turn is over. `expired`: the turn to resume is
 * no longer stored.
 */
export type TurnPhase = 'fresh' | 'running' | 'suspended' | 'uncertain' | 'claimed' | 'answered' | 'failed' | 'expired';

/** The phases that may follow each phase. */
export const TRANSITIONS: Readonly<Record<TurnPhase, readonly TurnPhase[]>> = {
  // A request with approvals resumes a suspended turn.
  fresh: ['running', 'suspended', 'uncertain', 'expired', 'failed'],
  // A turn that fails after it was claimed is stored, and another request can resume it.
  running: ['suspended', 'uncertain', 'answered', 'failed'],
  suspended: ['claimed'],
  uncertain: ['claimed'],
  claimed: ['running', 'suspended', 'uncertain', 'answered'],
  answered: [],
  failed: [],
  expired: [],
};
