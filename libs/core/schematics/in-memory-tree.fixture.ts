import type { Context, Tree } from './tree.js';

const normal = (path: string): string => path.replace(/^\/+/, '');

/** A tree in memory. Like the real one, it creates only new files and overwrites only existing ones. */
export class InMemoryTree implements Tree {
  readonly files = new Map<string, string>();

  exists(path: string): boolean {
    return this.files.has(normal(path));
  }

  read(path: string): string | null {
    return this.files.get(normal(path)) ?? null;
  }

  readText(path: string): string {
    const content = this.read(path);
    if (content === null) throw new Error(`${path} does not exist`);
    return content;
  }

  create(path: string, content: string): void {
    if (this.exists(path)) throw new Error(`${path} exists already`);
    this.files.set(normal(path), content);
  }

  overwrite(path: string, content: string): void {
    this.readText(path);
    this.files.set(normal(path), content);
  }

  getDir(path: string): { readonly subfiles: readonly string[] } {
    const folder = normal(path) === '' ? '' : `${normal(path)}/`;
    const below = [...this.files.keys()].filter((file) => file.startsWith(folder));
    return { subfiles: below.map((file) => file.slice(folder.length)).filter((file) => !file.includes('/')) };
  }
}

/** A context that keeps what it is given. */
export class RecordingContext implements Context {
  readonly warnings: string[] = [];
  readonly tasks: object[] = [];
  readonly logger = { warn: (line: string) => void this.warnings.push(line) };

  addTask(task: { toConfiguration(): object }): void {
    this.tasks.push(task.toConfiguration());
  }
}
