import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

/** The longest that a timer of Node.js can wait. */
const MAX_DELAY = 2 ** 31 - 1;

/** Rings, in the log, when the time of an alarm has come. */
@Injectable()
export class AlarmService implements OnModuleDestroy {
  private readonly logger = new Logger('Alarm');
  private readonly timers = new Map<NodeJS.Timeout, Date>();

  /** The alarms that have not rung yet. */
  get pending(): readonly Date[] {
    return [...this.timers.values()];
  }

  /** @throws RangeError for a time that is past or too far away */
  set(time: Date): Date {
    const delay = time.getTime() - Date.now();
    if (!(delay > 0)) throw new RangeError(`The time ${time.toISOString()} is not in the future.`);
    if (delay > MAX_DELAY) throw new RangeError('An alarm can be set for at most 24 days from now.');
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.logger.log(`It is ${time.toISOString()}`);
    }, delay);
    // An alarm is no reason to keep the process alive.
    timer.unref();
    this.timers.set(timer, time);
    return time;
  }

  onModuleDestroy(): void {
    for (const timer of this.timers.keys()) clearTimeout(timer);
    this.timers.clear();
  }
}
