import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { fromMessageJson, type Message, type MessageJson, toMessageJson } from '@nestor-ai/core';
import { DevelopmentFiles } from '../development-files.js';
import type { InspectedTurn } from '../recording/inspected-turn.js';
import { TurnRing } from '../recording/turn-ring.js';
import { asAccessed, type Seen } from './inspected-turns.js';
import { ShownContent } from './shown-content.js';
import { TurnPolicy } from './turn-policy.js';
import { rowOf, type TurnRow, type TurnView, TurnViews } from './turn-view.js';

/** A line of the file. */
interface KeptTurn {
  readonly version: number;
  readonly view: TurnView;
  /** The messages with the answer. */
  readonly messages: readonly MessageJson[];
}

/** Of the form of a line. Lines of other versions are left out. */
const VERSION = 1;
const MEGABYTE = 1024 * 1024;
/** The most that a line may have, in bytes. */
const LONGEST_TURN = MEGABYTE;
/** A full file takes the place of the one before. */
const MAX_FILE = 4 * MEGABYTE;

/**
 * The turns of earlier starts of an application that is developed, as the page has shown them. Only
 * kept if the page shows all of their contents.
 */
@Injectable()
export class EarlierTurns implements OnModuleDestroy {
  #path: string | undefined;
  #read: ReadonlyMap<string, KeptTurn> | undefined;
  #size = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly files: DevelopmentFiles,
    private readonly views: TurnViews,
    private readonly policy: TurnPolicy,
    ring: TurnRing,
    shown: ShownContent,
  ) {
    const { path, isKept } = files.file('turns.jsonl') ?? {};
    if (path === undefined) return;
    files.attempt(() => {
      if (isKept && shown.isExact) {
        this.#size = existsSync(path) ? statSync(path).size : 0;
        this.#path = path;
        ring.onSettled = (turn) => this.#keep(path, turn);
      } else {
        for (const file of [path, olderOf(path)]) rmSync(file, { force: true, recursive: true });
      }
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.#writing;
  }

  async list(request: unknown, isWanted: (turn: TurnView) => boolean): Promise<Seen<TurnRow>> {
    const turns = [...this.#turns.values()].map(({ view }) => view).filter(isWanted);
    const allowed = await Promise.all(turns.map((turn) => this.#mayRead(turn, request)));
    return {
      found: turns.filter((_turn, at) => allowed[at]).map(rowOf),
      hidden: allowed.filter((isAllowed) => !isAllowed).length,
      more: 0,
    };
  }

  /** Undefined if there is none, or the user may not see it. */
  async find(id: string, request: unknown): Promise<TurnView | undefined> {
    const view = this.#turns.get(id)?.view;
    return view && (await this.#mayRead(view, request)) ? view : undefined;
  }

  /** The conversation up to the answer of a turn of this user. Undefined if there is none. */
  async conversation(id: string, request: unknown): Promise<readonly Message[] | undefined> {
    const turn = this.#turns.get(id);
    const isOwn = turn && turn.view.requester === this.policy.subjectOf(request);
    return isOwn && (await this.#mayRead(turn.view, request)) ? turn.messages.map(fromMessageJson) : undefined;
  }

  #mayRead(turn: TurnView, request: unknown): Promise<boolean> {
    const { requester } = turn;
    return this.policy.allows('read', asAccessed({ ...turn, requester, pending: [] }), request);
  }

  /** Read when somebody looks for them. A line that is cut off is left out. */
  get #turns(): ReadonlyMap<string, KeptTurn> {
    const path = this.#path;
    if (path === undefined) return new Map();
    if (this.#read) return this.#read;
    const turns = new Map<string, KeptTurn>();
    this.files.attempt(() => {
      for (const file of [olderOf(path), path].filter((name) => existsSync(name))) {
        for (const line of readFileSync(file, 'utf8').split('\n')) {
          const turn = keptTurnOf(line);
          if (turn) turns.set(turn.view.id, turn);
        }
      }
    });
    return (this.#read = turns);
  }

  #keep(path: string, turn: InspectedTurn): void {
    const kept: KeptTurn = {
      version: VERSION,
      view: this.views.turn(turn, []),
      messages: turn.conversation.map(toMessageJson),
    };
    const line = `${JSON.stringify(kept)}\n`;
    const size = Buffer.byteLength(line);
    if (size > LONGEST_TURN) return;
    this.#writing = this.#writing.then(() => this.#append(path, line, size)).catch(this.files.warn);
  }

  async #append(path: string, line: string, size: number): Promise<void> {
    this.files.prepare();
    if (this.#size > 0 && this.#size + size > MAX_FILE) {
      renameSync(path, olderOf(path));
      this.#size = 0;
    }
    this.#size += size;
    await appendFile(path, line, { mode: 0o600 });
  }
}

const olderOf = (path: string): string => `${path}.old`;

/** A turn that waited is lost with its process: what the store of turns still has comes from there. */
function keptTurnOf(line: string): KeptTurn | undefined {
  try {
    const turn = JSON.parse(line) as KeptTurn;
    if (turn.version !== VERSION) return undefined;
    const { view } = turn;
    return view.status === 'suspended' ? { ...turn, view: { ...view, status: 'lost', pending: [] } } : turn;
  } catch {
    return undefined;
  }
}
