import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type AiInspectorOptions, INSPECTOR_OPTIONS } from './inspector.options.js';

/** The values of `NODE_ENV` with which an application is started again and again. `nest new` leaves it unset. */
const DEVELOPMENT: readonly (string | undefined)[] = [undefined, 'development'];

/** How long a token is valid without a start, in milliseconds. */
const TOKEN_LIFE = 24 * 3600 * 1000;

/**
 * What lasts while an application is developed: the page stays open although each change starts the
 * application again. The files are in `node_modules/.cache`, and only for their owner. There are none
 * with guards, in production and in tests.
 */
@Injectable()
export class DevelopmentFiles {
  readonly #logger = new Logger('AiInspectorModule');
  readonly #folder: string | undefined;

  constructor(@Inject(INSPECTOR_OPTIONS) { guards = [], path }: AiInspectorOptions) {
    const isOn = guards.length === 0 && DEVELOPMENT.includes(process.env['NODE_ENV']);
    const modules = isOn && modulesAbove(process.cwd());
    if (!modules) return;
    const application = createHash('sha256').update(`${process.cwd()}\n${path}`).digest('hex').slice(0, 16);
    const folder = join(modules, '.cache/nestor-inspector', application);
    if (this.attempt(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))) this.#folder = folder;
  }

  /** A file that lasts. Undefined if there is none. */
  pathOf(name: string): string | undefined {
    return this.#folder && join(this.#folder, name);
  }

  /** The token of the starts before, or a new one. */
  token(): string {
    const fresh = randomBytes(24).toString('base64url');
    const path = this.pathOf('token');
    if (path === undefined) return fresh;
    const token = (isYoung(path) && readFileSync(path, 'utf8').trim()) || fresh;
    // Writing the same token makes it young again.
    this.attempt(() => writeFileSync(path, token, { mode: 0o600 }));
    return token;
  }

  /** The page works without its files. @returns whether it has worked */
  attempt(use: () => void): boolean {
    try {
      use();
      return true;
    } catch (error) {
      this.warn(error);
      return false;
    }
  }

  readonly warn = (error: unknown): void => {
    this.#logger.warn(`The inspector cannot keep its files for the next start: ${(error as Error).message}`);
  };
}

function isYoung(path: string): boolean {
  return existsSync(path) && Date.now() - statSync(path).mtimeMs < TOKEN_LIFE;
}

/** The folder of the packages. Undefined if there is none. */
function modulesAbove(folder: string): string | undefined {
  const path = join(folder, 'node_modules');
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : modulesAbove(parent);
}
