/*
 * A runtime for Jest whose test files share the modules of their process, as they would in plain Node.
 * Jest's own runtime loads Nest and our sources again for each file, which took a third of the time.
 * Jest's worker processes, timeouts, reports, `-t` and `--watch` work as usual. Not supported: mocks of
 * modules, `resetModules()`. A file that needs them is an `*.isolated-spec.ts`.
 */
const { pathToFileURL } = require('node:url');

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
let imports = 0;

exports.__esModule = true;
exports.default = class SharedRuntime {
  #environment;
  #globals;

  constructor(_projectConfig, environment) {
    this.#environment = environment;
  }

  /** Loads jest-circus, which keeps the tests of one file: each file needs a fresh one. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    this.#globals = globals;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const { useGlobals } = await import('./jest-globals.mjs');
    useGlobals({ ...this.#globals, jest: this.#jest() });
    // The same file may run twice in a process, for example with --watch.
    imports += 1;
    await import(`${pathToFileURL(path).href}?${imports}`);
  }

  #jest() {
    const { moduleMocker, fakeTimersModern: timers } = this.#environment;
    const jest = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: () => (moduleMocker.restoreAllMocks(), jest),
      setTimeout: (milliseconds) => ((globalThis[TIMEOUT] = milliseconds), jest),
      useFakeTimers: (options) => (timers.useFakeTimers(options), jest),
      useRealTimers: () => (timers.useRealTimers(), jest),
      setSystemTime: (time) => timers.setSystemTime(time),
      getTimerCount: () => timers.getTimerCount(),
      advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
      advanceTimersByTimeAsync: (milliseconds) => timers.advanceTimersByTimeAsync(milliseconds),
      runAllTimersAsync: () => timers.runAllTimersAsync(),
    };
    return jest;
  }

  /** Node maps stack traces itself, with --enable-source-maps. */
  getSourceMaps() {
    return new Map();
  }

  enterTestCode() {}
  leaveTestCode() {}
  getAllCoverageInfoCopy() {}
  teardown() {}
};
