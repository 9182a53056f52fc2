/*
 * A runtime for Jest whose test files share the modules of their process, as they would in plain Node.
 * Jest's own runtime loads Nest and our sources again for each file, which took a third of the time.
 * Jest's worker processes, timeouts, reports and `-t` work as usual. A file that mocks or resets modules
 * is a NAME.isolated.spec.ts.
 */
const { pathToFileURL } = require('node:url');

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
let imports = 0;

function fail(key) {
  throw new Error(
    `Test files that share modules have no jest.${String(key)}. Rename the file to NAME.isolated.spec.ts, or add it to shared-runtime.cjs.`,
  );
}

exports.__esModule = true;
exports.default = class SharedRuntime {
  #environment;
  #globals;

  constructor(
    _projectConfig,
    environment,
    _resolver,
    _transformer,
    _cacheFS,
    { collectCoverage },
    _path,
    globalConfig,
  ) {
    if (globalConfig.watch || globalConfig.watchAll)
      throw new Error('Jest cannot watch: the process keeps the sources that it has read. Use npm run test:changed.');
    if (collectCoverage)
      throw new Error('Jest cannot collect coverage here. Set NODE_V8_COVERAGE=FOLDER, and read the folder with c8.');
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
    // The number gives the file, and the helpers that it imports, modules of their own: hooks.mjs.
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
    return new Proxy(jest, { get: (target, key) => target[key] ?? fail(key) });
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
