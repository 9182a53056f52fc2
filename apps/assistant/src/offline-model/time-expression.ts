const UNITS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
};
const DAYS: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };
const AMOUNT = String.raw`(\d+|an?|one|two|three|five|ten|half an)`;
const WORDS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  five: 5,
  ten: 10,
  'half an': 0.5,
};
const UNIT = '(second|minute|hour|day|week)s?';
const RELATIVE = new RegExp(`\\bin ${AMOUNT} ${UNIT}\\b|\\b${AMOUNT} ${UNIT} (?:from now|later)\\b`, 'i');
const DAY = /\b(yesterday|today|tomorrow)\b/i;
const NOW = /\b(now|current time|what time|what day|which day|what date|the date)\b/i;
const ABSOLUTE = /\b\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?\b/;

/** A time of day such as "at 7:30" or "at 5 pm". All times are in UTC. */
const CLOCK =
  /\b(?:at|for) (\d{1,2})(?::([0-5]\d))?\s*(am|pm)?\b(?!\s*(?:minute|hour|second|day|week|times?|people|persons?))/i;
/** The maximum distance in characters between a day and its time. */
const NEAR = 20;

/** A time in a question. */
export interface TimeExpression {
  /** The text in the question. */
  readonly text: string;
  /** Whether it depends on the current time. */
  readonly needsNow: boolean;
  /** Computes the time from the current time. */
  resolve(now: Date): Date;
}

/** Finds the times in a question, in order. */
export function findTimeExpressions(question: string): TimeExpression[] {
  const found: TimeExpression[] = [];
  for (let rest = question; ;) {
    const time = findFirst(rest);
    if (!time) return found;
    found.push(time);
    rest = rest.slice(rest.indexOf(time.text) + time.text.length);
  }
}

/** Finds the most specific kind of time in a text. */
function findFirst(question: string): TimeExpression | undefined {
  const absolute = ABSOLUTE.exec(question);
  if (absolute) return { text: absolute[0], needsNow: false, resolve: () => new Date(absolute[0]) };
  const relative = RELATIVE.exec(question);
  if (relative) {
    const [text, amountA, unitA, amountB, unitB] = relative;
    const milliseconds = toNumber(amountA ?? amountB!) * UNITS[(unitA ?? unitB!).toLowerCase()]!;
    return { text, needsNow: true, resolve: (now) => new Date(now.getTime() + milliseconds) };
  }
  const clock = readClock(question);
  const day = DAY.exec(question);
  if (day) {
    const offset = DAYS[day[0].toLowerCase()]! * UNITS.day!;
    const isOfDay = clock && Math.abs(clock.index - day.index) <= NEAR;
    const [from, to] = isOfDay
      ? [Math.min(clock.index, day.index), Math.max(clock.index + clock.text.length, day.index + day[0].length)]
      : [day.index, day.index + day[0].length];
    const resolve = (now: Date): Date => {
      const date = new Date(now.getTime() + offset);
      return isOfDay ? clock.on(date) : date;
    };
    return { text: question.slice(from, to), needsNow: true, resolve };
  }
  if (clock) return { text: clock.text, needsNow: true, resolve: (now) => next(clock.on(now), now) };
  const now = NOW.exec(question);
  return now ? { text: now[0], needsNow: true, resolve: (at) => at } : undefined;
}

/** A time of day without a day means its next occurrence. */
function next(time: Date, now: Date): Date {
  return time > now ? time : new Date(time.getTime() + UNITS.day!);
}

function readClock(question: string): { text: string; index: number; on: (day: Date) => Date } | undefined {
  const found = CLOCK.exec(question);
  if (!found) return undefined;
  const [text, hourText, minutes, half] = found;
  // "at 5" is ambiguous; "at 5 pm" and "at 5:00" are times.
  if (minutes === undefined && half === undefined) return undefined;
  const hour = (Number(hourText) % (half ? 12 : 24)) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  const on = (day: Date): Date => {
    const time = new Date(day);
    time.setUTCHours(hour, Number(minutes ?? 0), 0, 0);
    return time;
  };
  return { text, index: found.index, on };
}

function toNumber(text: string): number {
  return WORDS[text.toLowerCase()] ?? Number(text);
}
