import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

/** The longest delay of a Node.js timer, in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/** Logs a line when an alarm goes off. */
@Injectable()
export class AlarmService implements OnModuleDestroy {
  private readonly logger = new Logger('Alarm');
  private readonly timers = new Map<NodeJS.Timeout, Date>();

  /** The alarms that have not gone off yet. */
  get pending(): readonly Date[] {
    return [...this.timers.values()];
  }

  /** @throws RangeError if the time has passed or is too far away */
  set(time: Date): Date {
    const delay = time.getTime() - Date.now();
    if (!(delay > 0)) throw new RangeError(`The time ${time.toISOString()} is not in the future.`);
    if (delay > MAX_DELAY) throw new RangeError('An alarm can be set for at most 24 days from now.');
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.logger.log(`It is ${time.toISOString()}`);
    }, delay);
    // An alarm does not keep the process alive.
    timer.unref();
    this.timers.set(timer, time);
    return time;
  }

  onModuleDestroy(): void {
    for (const timer of this.timers.keys()) clearTimeout(timer);
    this.timers.clear();
  }
}
