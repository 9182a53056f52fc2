/**
 * The state of a turn as it is stored. `queued`: it waits for a worker. `running`: a process works on
 * it, or did until it died. `suspended`: calls wait for a decision or a result. `failed`: its
 * request failed, and another one can continue it. `ended`: it is over.
 *
 * `TurnState` derives it from the entries of the turn. What else describes a turn is read from its
 * data: `phase` says that no calls are open, and each call says what it waits for.
 */
export type TurnStatus = 'queued' | 'running' | 'suspended' | 'failed' | 'ended';
