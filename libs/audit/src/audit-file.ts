import { constants, type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Only the process's user may read and write the file. */
export const AUDIT_FILE_MODE = 0o600;

/** How many bytes to read first from the end of a file. */
const TAIL = 65_536;

const NEW_LINE = 0x0a;

/** How long a file must not grow until its last line counts as incomplete, in milliseconds. */
const STILL = 250;

/**
 * Appends lines and waits until they are on disk. Opens the file each time, so that you can rename
 * it at any time, and creates it if it is missing. Each line stays whole, even if several
 * processes append.
 *
 * @param lines the lines, each with a line feed
 */
export async function appendLines(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', AUDIT_FILE_MODE);
  try {
    // The rest of a line from a crash or a full disk must not become part of the next line.
    await writeAll(file, Buffer.from((await endsInsideLine(file)) ? `\n${lines}` : lines));
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Finds the last usable line.
 *
 * @param use returns undefined for a line that is not usable
 */
export async function lastOf<T>(path: string, use: (line: string) => T | undefined): Promise<T | undefined> {
  const file = await openExisting(path);
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    for (let length = TAIL; ; length *= 8) {
      const start = Math.max(0, size - length);
      const lines = (await readBetween(file, start, size)).split('\n');
      // The first line may be only the end of a longer one.
      const whole = start === 0 ? lines : lines.slice(1);
      for (const line of whole.toReversed()) {
        const used = use(line);
        if (used !== undefined) return used;
      }
      if (start === 0) return undefined;
    }
  } finally {
    await file.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whether the last line is incomplete and stays so. While another process writes, the system shows
 * parts of its lines.
 */
async function endsInsideLine(file: FileHandle): Promise<boolean> {
  for (let seen = 0; ; await wait(STILL)) {
    const { size } = await file.stat();
    if (size === 0) return false;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    if (bytesRead === 0 || buffer[0] === NEW_LINE) return false;
    if (size === seen) return true;
    seen = size;
  }
}

async function readBetween(file: FileHandle, start: number, end: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.toString('utf8', 0, bytesRead);
}

/** Writes in one piece if the system can, so that lines of other processes do not come between. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await file.write(bytes, written)).bytesWritten;
  }
}
