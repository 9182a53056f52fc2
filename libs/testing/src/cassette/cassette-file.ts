import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject } from '@nestor-ai/schema';
import { type CassetteContent, CassetteException, HOW_TO_RECORD } from './cassette-content.js';

const FORMAT = 'nestor-cassette';
const VERSION = 1;

/** The file of a cassette. */
export class CassetteFile {
  readonly path: string;
  /** What the file contained when this object last read or wrote it. */
  #known: string | undefined;

  constructor(file: string | URL) {
    this.path = file instanceof URL ? fileURLToPath(file) : file;
    this.#known = readIfThere(this.path);
  }

  /** @throws CassetteException if the file is missing, corrupt, or no cassette of this version */
  read(): CassetteContent {
    if (this.#known === undefined) {
      throw new CassetteException(`There is no cassette '${this.path}'. To record it, ${HOW_TO_RECORD}.`);
    }
    const content = this.#parse(this.#known) as Partial<CassetteContent> & { format?: unknown; version?: unknown };
    if (content?.format !== FORMAT || !isJsonObject(content.model) || !isListOfRecords(content.interactions))
      throw new CassetteException(
        `The file '${this.path}' is not a cassette. Give recordModel() another file, or delete this one.`,
      );
    if (content.version !== VERSION)
      throw new CassetteException(
        `The cassette '${this.path}' has version ${String(content.version)}, and this version of @nestor-ai/core reads ` +
          `version ${VERSION}. Update @nestor-ai/core, or record again: ${HOW_TO_RECORD}.`,
      );
    const broken = content.interactions!.findIndex(({ request, response, chunks, error }) => {
      const answers = request?.method === 'stream' ? (chunks ?? [error]) : [response ?? error];
      return ![request?.messages, answers].every(isListOfRecords);
    });
    const reason = `Interaction ${broken + 1} of the cassette '${this.path}' has no request, or no answer of its method. Restore it, or record again: ${HOW_TO_RECORD}.`;
    if (broken >= 0) throw new CassetteException(reason);
    return content as CassetteContent;
  }

  /**
   * Replaces the file in one step, so that readers find the old content or the new one.
   *
   * @throws CassetteException if something else has written the file meanwhile
   */
  write(content: CassetteContent): void {
    if (readIfThere(this.path) !== this.#known) {
      throw new CassetteException(
        `Another model or another test process has written the cassette '${this.path}' while this one was recording. ` +
          'Give each model a file of its own.',
      );
    }
    const text = cassetteText(content);
    const temporary = `${this.path}.${randomUUID()}.tmp`;
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(temporary, text);
      renameSync(temporary, this.path);
    } catch (cause) {
      if (existsSync(temporary)) rmSync(temporary, { force: true });
      const { code } = cause as NodeJS.ErrnoException;
      throw new CassetteException(
        `The cassette '${this.path}' cannot be written (${code ?? 'unknown reason'}). Make its folder writable, or give ` +
          'recordModel() another file.',
        { cause },
      );
    }
    this.#known = text;
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new CassetteException(
        `The cassette '${this.path}' is not valid JSON (${(error as Error).message}). Restore it, or record again: ${HOW_TO_RECORD}.`,
      );
    }
  }
}

/** The text of a cassette. */
export function cassetteText(content: CassetteContent): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...content }, null, 2)}\n`;
}

function isListOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every(isJsonObject);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ENOTDIR: a part of the path is a file.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
