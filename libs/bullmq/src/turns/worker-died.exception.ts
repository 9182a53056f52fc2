/** The process that ran a turn has died, or no other process could tell it from one that has. */
export class WorkerDiedException extends Error {
  override readonly name = 'WorkerDiedException';

  constructor() {
    super('The process that ran the turn has died.');
  }
}
