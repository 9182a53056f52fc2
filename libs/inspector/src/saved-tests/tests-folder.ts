import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { ConflictException, ForbiddenException } from '@nestjs/common';
import type { TestFile } from './test-files.js';

const { O_CREAT, O_EXCL, O_TRUNC, O_WRONLY } = constants;
/** Windows does not have it. */
const O_NOFOLLOW = (constants.O_NOFOLLOW as number | undefined) ?? 0;

/** The folder that tests are written to. */
export class TestsFolder {
  constructor(readonly path: string) {}

  /** The path of a file relative to the working directory, with slashes. */
  pathOf(name: string): string {
    return relative('.', join(resolve(this.path), name)).replaceAll('\\', '/');
  }

  /**
   * Writes files into the folder.
   *
   * @throws ConflictException if a file exists and may not be replaced
   * @throws ForbiddenException if a file is a link, which may lead out of the folder
   */
  async write(files: readonly TestFile[], mayReplace: boolean): Promise<void> {
    await mkdir(this.path, { recursive: true });
    const folder = await realpath(this.path);
    const known = await Promise.all(files.map(async ({ name }) => ({ name, kind: await kindOf(join(folder, name)) })));
    const link = known.find(({ kind }) => kind === 'other');
    if (link)
      throw new ForbiddenException(`${link.name} is a link or no file, so it is not replaced. Use another name.`);
    const existing = known.filter(({ kind }) => kind === 'file').map(({ name }) => name);
    if (existing.length > 0 && !mayReplace)
      throw new ConflictException(`${existing.join(' and ')} exist already. Use another name, or replace them.`);
    for (const { name, content } of files) {
      const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | (mayReplace ? O_TRUNC : O_EXCL);
      const file = await open(join(folder, name), flags, 0o644);
      try {
        await file.writeFile(content);
      } finally {
        await file.close();
      }
    }
  }
}

async function kindOf(path: string): Promise<'none' | 'file' | 'other'> {
  try {
    return (await lstat(path)).isFile() ? 'file' : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
}
