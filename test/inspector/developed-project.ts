import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/**
 * Runs each test in a project of its own, whose application is developed: `NODE_ENV` is `development`.
 * Call it after the `afterEach()` that stops the application.
 *
 * @returns the folder of the project
 */
export function inDevelopedProject(): () => string {
  const { NODE_ENV } = process.env;
  const home = process.cwd();
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'project-'));
    mkdirSync(join(folder, 'node_modules'));
    process.chdir(folder);
    process.env['NODE_ENV'] = 'development';
  });
  afterEach(() => {
    process.env['NODE_ENV'] = NODE_ENV;
    process.chdir(home);
    rmSync(folder, { recursive: true });
  });
  return () => folder;
}
