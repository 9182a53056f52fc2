import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type AiInspectorOptions, INSPECTOR_OPTIONS } from './inspector.options.js';

/** How long a token is valid without a start, in milliseconds. */
const TOKEN_LIFE = 24 * 3600 * 1000;
const TOKEN = /^[\w-]{32}$/;

/**
 * What lasts while an application is developed: the page stays open although each change starts the
 * application again. The files are in `node_modules/.cache`, and only for their owner. There are none
 * with guards, in production, in tests and without a terminal, unless `NODE_ENV` is `development`.
 */
@Injectable()
export class DevelopmentFiles {
  readonly #logger = new Logger('AiInspectorModule');
  /** Undefined if there is no `node_modules`. */
  readonly #folder: string | undefined;
  /** Whether files are kept now. */
  readonly #isOn: boolean;
  #hasWarned = false;

  constructor(@Inject(INSPECTOR_OPTIONS) { guards = [], path }: AiInspectorOptions) {
    const modules = modulesAbove(process.cwd());
    this.#isOn = guards.length === 0 && isDeveloped() && isOwn(modules);
    // Two applications of a monorepo have one working directory.
    const application = [process.cwd(), process.argv[1], path].join('\n');
    const id = createHash('sha256').update(application).digest('hex').slice(0, 16);
    this.#folder = modules && join(modules, '.cache/nestor-inspector', id);
  }

  /** The path of a file, with whether it is kept. Undefined if there can be none. */
  file(name: string): { readonly path: string; readonly isKept: boolean } | undefined {
    return this.#folder === undefined ? undefined : { path: join(this.#folder, name), isKept: this.#isOn };
  }

  /** Makes the folder, also if somebody has removed it. */
  prepare(): void {
    mkdirSync(this.#folder!, { recursive: true, mode: 0o700 });
  }

  /** The token of the starts before, or a new one. */
  token(): string {
    const fresh = randomBytes(24).toString('base64url');
    const { path, isKept } = this.file('token') ?? {};
    if (path === undefined || !isKept) return fresh;
    let token = fresh;
    this.attempt(() => {
      token = trustedToken(path) ?? fresh;
      this.prepare();
      // Writing the same token makes it young again. Another process never reads a half of it.
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, token, { mode: 0o600 });
      renameSync(draft, path);
    });
    return token;
  }

  /** The page works without its files. */
  attempt(use: () => void): void {
    try {
      use();
    } catch (error) {
      this.warn(error);
    }
  }

  /** Warns once. */
  readonly warn = (error: unknown): void => {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#logger.warn(`The inspector cannot keep its files for the next start: ${(error as Error).message}`);
  };
}

/** `nest new` leaves `NODE_ENV` unset, also on servers. These have no terminal. */
function isDeveloped(): boolean {
  const { NODE_ENV } = process.env;
  return NODE_ENV === 'development' || (NODE_ENV === undefined && process.stdout.isTTY);
}

/** What another user has prepared is not read. Windows has no such ids. */
function isOwn(path: string | undefined): boolean {
  return path !== undefined && (process.getuid === undefined || statSync(path).uid === process.getuid());
}

/** The token of a file. Undefined if it is old, or if another user could read or write it. */
function trustedToken(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const stats = lstatSync(path);
  const { mode, mtimeMs, size } = stats;
  const isPrivate = process.getuid === undefined || (mode & 0o077) === 0;
  if (!stats.isFile() || !isOwn(path) || !isPrivate || size > 100 || Date.now() - mtimeMs > TOKEN_LIFE)
    return undefined;
  const token = readFileSync(path, 'utf8');
  return TOKEN.test(token) ? token : undefined;
}

/** The folder of the packages. Undefined if there is none. */
function modulesAbove(folder: string): string | undefined {
  const path = join(folder, 'node_modules');
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : modulesAbove(parent);
}
