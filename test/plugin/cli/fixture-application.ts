import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const APPLICATION = fileURLToPath(new URL('../application', import.meta.url));
/** Outside of node_modules, whose files the compiler takes for those of other packages. */
const FOLDER = join(tmpdir(), `nestor-plugin-${process.pid}`);
const NEST = join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js');

/** The packages that the plugin is in, with the entry point of each. */
const PLUGIN = { compiler: { './plugin': './plugin.js' }, schema: { './format': './format.js' } };

/** What an application needs of our package to compile. The plugin recognizes it by its folder. */
const STAND_IN = {
  'package.json': JSON.stringify({
    name: '@nestor-ai/core',
    type: 'commonjs',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  }),
  'index.js': 'exports.Tool = () => () => {}; exports.ToolParam = () => () => {}; exports.ToolContext = class {};',
  'index.d.ts': `
    export declare function Tool(options?: { name?: string; description?: string; inputSchema?: unknown }): MethodDecorator;
    export declare function ToolParam(options?: object): ParameterDecorator & PropertyDecorator;
    export declare class ToolContext { readonly signal: AbortSignal }`,
};

/** The types of a class, with the names of the classes that they name. */
export interface StartedTypes {
  readonly methods?: Readonly<Record<string, { readonly parameters: readonly { readonly schema?: JsonSchema }[] }>>;
  readonly classes?: readonly string[];
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

export interface Output {
  readonly exitCode: number | null;
  /** Of both streams, without colors. */
  readonly text: string;
}

/** A copy of the application in `application/`, which the real Nest CLI builds with our plugin. */
export class FixtureApplication {
  readonly folder: string;

  constructor(name: string) {
    this.folder = join(FOLDER, name);
    rmSync(this.folder, { recursive: true, force: true });
    cpSync(APPLICATION, this.folder, { recursive: true });
    linkModules();
    const core = join(this.folder, 'node_modules/@nestor-ai/core');
    for (const [file, text] of Object.entries(STAND_IN)) write(join(core, file), text);
    for (const [room, exports] of Object.entries(PLUGIN)) {
      const folder = join(this.folder, 'node_modules/@nestor-ai', room);
      compile(join(ROOT, 'libs', room, 'src'), folder);
      write(join(folder, 'package.json'), JSON.stringify({ name: `@nestor-ai/${room}`, type: 'commonjs', exports }));
    }
  }

  write(file: string, text: string): void {
    write(join(this.folder, file), text);
  }

  /** Replaces text in a file. */
  edit(file: string, search: string, replacement: string): void {
    const text = this.read(file);
    if (!text.includes(search)) throw new Error(`${file} has no ${search}`);
    this.write(
      file,
      text.replace(search, () => replacement),
    );
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  exists(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  delete(file: string): void {
    rmSync(join(this.folder, file), { recursive: true, force: true });
  }

  nest(...args: string[]): Output {
    return this.run(NEST, ...args);
  }

  schemas(...args: string[]): Output {
    return this.run('node_modules/@nestor-ai/compiler/command/nestor-schemas.js', ...args);
  }

  run(...args: string[]): Output {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      env: environment(),
      encoding: 'utf8',
    });
    return { exitCode: status, text: plain(stdout + stderr) };
  }

  /** Starts a command that does not end by itself. */
  watch(...args: string[]): Watched {
    return new Watched(this.folder, args[0] === 'nest' ? [NEST, ...args.slice(1)] : args);
  }

  /** @returns what the application prints: the types of its class */
  start(): StartedTypes {
    const { text } = this.run('dist/main.js');
    try {
      return JSON.parse(text) as StartedTypes;
    } catch (cause) {
      throw new Error(text, { cause });
    }
  }

  remove(): void {
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

/** A command that runs until it is stopped. */
export class Watched {
  readonly #process;
  #text = '';
  #listeners: (() => void)[] = [];
  #isClosed = false;

  constructor(folder: string, args: readonly string[]) {
    this.#process = spawn(process.execPath, args, { cwd: folder, env: environment() });
    const listen = (data: Buffer) => {
      this.#text += plain(String(data));
      for (const listener of this.#listeners) listener();
    };
    this.#process.stdout.on('data', listen);
    this.#process.stderr.on('data', listen);
    this.#process.once('close', () => {
      this.#isClosed = true;
      for (const listener of this.#listeners) listener();
    });
  }

  /** Waits for a text in the output since the last call. @returns that output */
  async until(expected: RegExp): Promise<string> {
    while (!expected.test(this.#text)) {
      if (this.#isClosed)
        throw new Error(`The process has ended, but ${expected} is not in its output:\n${this.#text}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
    this.#listeners = [];
    const text = this.#text;
    this.#text = '';
    return text;
  }

  async stop(): Promise<void> {
    if (this.#isClosed) return;
    const closed = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.kill();
    await closed;
  }
}

const environment = () => ({ ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', FORCE_COLOR: '0' });

// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replaceAll(/\u001b\[[0-9;]*[A-Za-z]|\u001bc/g, '');

/** All packages but ours are those of this repository. */
function linkModules(): void {
  const link = join(FOLDER, 'node_modules');
  if (!existsSync(link)) symlinkSync(join(ROOT, 'node_modules'), link, 'junction');
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function compile(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory()) compile(source, join(to, entry.name));
    else if (/(?<!\.spec)\.c?ts$/.test(entry.name)) {
      const { code } = transformSync(readFileSync(source, 'utf8'), {
        filename: source,
        swcrc: false,
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true },
        },
      });
      write(join(to, entry.name.replace(/ts$/, 'js')), code);
    }
  }
}
