/*
 * The environment of test files that share a process: what a file changes in the process is put back
 * at its end. Globals that are new stay: packages such as class-validator keep their own there.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { context, metrics, trace } from '@opentelemetry/api';
import { configureGlobal } from 'fast-check';
import { ModuleMocker } from 'jest-mock';

// The same random values for everybody, until `npm run explore` draws others. fast-check prints the seed when a property fails.
configureGlobal({ seed: Number(process.env.SEED ?? 1) });

/** Before Node.js 24, every AsyncLocalStorage that is in use costs time for every promise: those of a test end with it. */
const usedStorages = new Set();
function disableStorages() {
  for (const storage of usedStorages) storage.disable();
  usedStorages.clear();
}
for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    usedStorages.add(this);
    return original.apply(this, args);
  };
}

/** What applications set for their whole process. */
function resetFrameworks() {
  Logger.overrideLogger(new ConsoleLogger());
  ContextIdFactory.apply(undefined);
  for (const api of [trace, metrics, context]) api.disable();
}

const records = process.env.NESTOR_RECORD_SOURCES === '1' && (await import('./record-sources.mjs'));

export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern;
  #before;
  #testPath;
  #startedAt = performance.now();

  constructor({ projectConfig }, { testPath }) {
    this.#testPath = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#before = { globals: Object.getOwnPropertyDescriptors(globalThis), env: { ...process.env } };
    this.#before.exit = process.exit;
  }

  async setup() {
    // Jest installs source maps of its own, which knows nothing of what Node has imported.
    Error.prepareStackTrace = undefined;
  }

  handleTestEvent({ name }) {
    if (name === 'test_done') disableStorages();
  }

  async teardown() {
    if (records) await records.recordSources(this.#testPath, (performance.now() - this.#startedAt) / 1000);
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    syncBuiltinESMExports();
    disableStorages();
    resetFrameworks();
    restore(process.env, this.#before.env);
    process.exit = this.#before.exit;
    for (const [key, descriptor] of Object.entries(this.#before.globals))
      if (descriptor.configurable) Object.defineProperty(globalThis, key, descriptor);
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

function restore(target, before) {
  for (const key of Object.keys(target)) if (!(key in before)) delete target[key];
  for (const [key, value] of Object.entries(before)) if (target[key] !== value) target[key] = value;
}
