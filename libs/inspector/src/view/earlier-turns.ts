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
  readonly view: TurnView;
  /** The messages with the answer. */
  readonly messages: readonly MessageJson[];
}

const MEGABYTE = 1024 * 1024;
/** The most that a line may have, in characters. */
const LONGEST_TURN = MEGABYTE;
/** A full file takes the place of the one before. */
const MAX_FILE = 4 * MEGABYTE;

/**
 * The turns of earlier starts of an application that is developed, as the page has shown them. Only
 * kept if the page shows all of their contents.
 */
@Injectable()
export class EarlierTurns implements OnModuleDestroy {
  readonly #path: string | undefined;
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
    const path = files.pathOf('turns.jsonl');
    if (path === undefined) return;
    if (!shown.isStreamed) {
      for (const file of [path, olderOf(path)]) rmSync(file, { force: true });
      return;
    }
    this.#path = path;
    this.#size = existsSync(path) ? statSync(path).size : 0;
    ring.onSettled = (turn) => this.#keep(turn);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#writing;
  }

  /** @param isKnown the turns to leave out */
  async list(request: unknown, isKnown: (id: string) => boolean): Promise<Seen<TurnRow>> {
    const turns = [...this.#turns.values()].map(({ view }) => view).filter(({ id }) => !isKnown(id));
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
  conversation(id: string, request: unknown): readonly Message[] | undefined {
    const turn = this.#turns.get(id);
    const isOwn = turn && turn.view.requester === this.policy.subjectOf(request);
    return isOwn ? turn.messages.map(fromMessageJson) : undefined;
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
    for (const file of [olderOf(path), path].filter((name) => existsSync(name))) {
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        const turn = keptTurnOf(line);
        if (turn) turns.set(turn.view.id, turn);
      }
    }
    return (this.#read = turns);
  }

  #keep(turn: InspectedTurn): void {
    const path = this.#path!;
    const kept: KeptTurn = { view: this.views.turn(turn, []), messages: turn.conversation.map(toMessageJson) };
    const line = `${JSON.stringify(kept)}\n`;
    if (line.length > LONGEST_TURN) return;
    this.#writing = this.#writing.then(() => this.#append(path, line)).catch(this.files.warn);
  }

  async #append(path: string, line: string): Promise<void> {
    if (this.#size + line.length > MAX_FILE) {
      renameSync(path, olderOf(path));
      this.#size = 0;
    }
    this.#size += line.length;
    await appendFile(path, line, { mode: 0o600 });
  }
}

const olderOf = (path: string): string => `${path}.old`;

/** A turn that waited is lost with its process: what the store of turns still has comes from there. */
function keptTurnOf(line: string): KeptTurn | undefined {
  try {
    const turn = JSON.parse(line) as KeptTurn;
    const { view, messages } = turn;
    if (typeof view.id !== 'string' || !Array.isArray(view.calls) || !Array.isArray(messages)) return undefined;
    return view.status === 'suspended' ? { ...turn, view: { ...view, status: 'lost', pending: [] } } : turn;
  } catch {
    return undefined;
  }
}
