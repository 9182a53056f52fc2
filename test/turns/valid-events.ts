import type { NumberedRecordedEvent } from '@nestor-ai/turns';

/** The events that no `restart` has made void. */
export function validOf(events: readonly NumberedRecordedEvent[]): readonly NumberedRecordedEvent[] {
  return events.reduce<readonly NumberedRecordedEvent[]>((kept, numbered) => {
    const { event } = numbered;
    return event.type === 'restart' ? kept.filter(({ number }) => number <= event.after) : [...kept, numbered];
  }, []);
}
