/* Imported before a replica whose clock is wrong by `CLOCK_SHIFT` milliseconds. Timers run as they should. */
const shift = Number(process.env['CLOCK_SHIFT'] ?? 0);

const RightDate = Date;
const now = (): number => RightDate.now() + shift;

globalThis.Date = new Proxy(RightDate, {
  apply: () => new RightDate(now()).toString(),
  construct: (target, values: unknown[], newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [now()], newTarget) as object,
  get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
});
