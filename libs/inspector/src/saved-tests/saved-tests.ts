import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadRequestException, ConflictException, Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { SuspendedTurnRepository } from '@nestor-ai/core';
import { replayTurn, turnCassette, TurnDriftException } from '@nestor-ai/testing';
import type { ReplayBody, SaveTestBody } from '../chat/chat-requests.js';
import { Previews } from '../chat/previews.js';
import { HostApplication } from '../host-application.js';
import { type AiInspectorOptions, INSPECTOR_OPTIONS, type TestedModule } from '../inspector.options.js';
import type { InspectedTurn } from '../recording/inspected-turn.js';
import { TurnRing } from '../recording/turn-ring.js';
import { instructionsOf } from '../view/instructions.js';
import { ShownContent } from '../view/shown-content.js';
import { InspectedTurns } from '../view/inspected-turns.js';
import { TurnViews } from '../view/turn-view.js';
import { findRootModule } from './root-module.js';
import { fileNameOf, specOf, type TestFile } from './test-files.js';
import { TestsFolder } from './tests-folder.js';

/** What a test of a turn would be made of. */
export interface TestDraft {
  /** `from` is empty if the inspector does not find it. */
  readonly module: TestedModule;
  /** The tools that the turn calls. */
  readonly tools: readonly DraftedTool[];
}

/** A tool that the turn calls. */
export interface DraftedTool {
  readonly name: string;
  /**
   * Why the test uses its recorded results unless one says otherwise: what the tool may do, or a time or
   * a random id in its calls.
   */
  readonly doubt?: 'write' | 'irreversible' | 'time' | 'id';
}

/** A turn that was saved as a test. */
export interface SavedTest {
  readonly files: readonly TestFile[];
  /** Where the files were written. Undefined if they are to be downloaded. */
  readonly paths?: readonly string[];
  /** Runs the test. */
  readonly command: string;
}

const DEFAULT_FOLDER = 'test/turns';
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d/;
const UUID = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/i;

/** Whether the project has a command of its own to run tests. */
async function hasTestScript(): Promise<boolean> {
  try {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts?: { test?: string } };
    return scripts?.test !== undefined;
  } catch {
    return false;
  }
}

/** Makes tests of turns. */
@Injectable()
export class SavedTests {
  readonly #logger = new Logger('AiInspectorModule');
  readonly #folder: TestsFolder;

  constructor(
    private readonly turns: InspectedTurns,
    private readonly views: TurnViews,
    private readonly ring: TurnRing,
    private readonly previews: Previews,
    private readonly shown: ShownContent,
    private readonly modules: ModulesContainer,
    private readonly moduleRef: ModuleRef,
    private readonly application: HostApplication,
    @Optional() @Inject(SuspendedTurnRepository) private readonly repository: SuspendedTurnRepository | undefined,
    @Inject(INSPECTOR_OPTIONS) private readonly options: AiInspectorOptions,
  ) {
    this.#folder = new TestsFolder(options.testsDirectory ?? DEFAULT_FOLDER);
  }

  /** Whether files can be written. */
  get canWrite(): boolean {
    return this.options.testsDirectory !== undefined;
  }

  /** @throws ConflictException if the turn cannot be saved */
  async draft(turnId: string, caller: unknown): Promise<TestDraft> {
    const turn = await this.#savable(turnId, caller);
    return { module: await this.#module(), tools: this.#toolsOf(turn) };
  }

  #toolsOf(turn: InspectedTurn): readonly DraftedTool[] {
    const { tools } = this.views.turn(turn, []);
    // What still waits has no result to use.
    const names = [...new Set(tools.flatMap(({ name, result }) => (result === undefined ? [] : name)))];
    return names.map((name): DraftedTool => {
      const calls = tools.filter((call) => call.name === name);
      const text = calls.map((call) => `${call.arguments} ${call.result}`).join(' ');
      const effect = calls[0]!.effect as 'read' | 'write' | 'irreversible';
      const doubt = effect === 'read' ? (TIME.test(text) ? 'time' : UUID.test(text) ? 'id' : undefined) : effect;
      return { name, ...(doubt && { doubt }) };
    });
  }

  /**
   * Runs a turn again in this application, as its test would. Tools run, except those with recorded
   * results.
   *
   * @returns how it differs; empty if the test would pass
   */
  async replay(turnId: string, body: ReplayBody, caller: unknown): Promise<{ drifts: readonly string[] }> {
    const { recorded = [], repeated = [] } = body;
    const turn = await this.#savable(turnId, caller);
    if (!this.turns.isOwn(turn, caller))
      throw new ConflictException('This is the turn of another user, so it is not run again. You can save it.');
    const surprise = this.#toolsOf(turn).find(
      ({ name, doubt }) =>
        (doubt === 'write' || doubt === 'irreversible') && ![...recorded, ...repeated].includes(name),
    );
    if (surprise)
      throw new ConflictException(`The test runs ${surprise.name} again, which may change something. Confirm it.`);
    return { drifts: await this.ring.ignoring((turnIds) => this.#drifts(turn, recorded, caller, turnIds)) };
  }

  async #drifts(
    turn: InspectedTurn,
    recordedTools: readonly string[],
    caller: unknown,
    turnIds: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'nestor-turn-'));
    const redact = this.#redactorOf(turn);
    try {
      const file = join(folder, 'turn.json');
      await writeFile(file, await this.#cassetteOf(turn, caller), { mode: 0o600 });
      await replayTurn(this.moduleRef, file, { recordedTools, redact, update: false });
      return [];
    } catch (error) {
      const drifts = error instanceof TurnDriftException ? error.drifts.map(({ text }) => text) : [String(error)];
      return drifts.map(redact);
    } finally {
      await rm(folder, { recursive: true, force: true });
      for (const id of turnIds) await this.#end(id);
    }
  }

  /** Cancels a turn that only tried a test, if it waits for an approval. */
  async #end(turnId: string): Promise<void> {
    if (!(await this.repository?.findById(turnId))) return;
    try {
      await this.application.suspended.stop(turnId, undefined);
    } catch (error) {
      this.#logger.warn(`The turn ${turnId}, which tried a test, still waits: ${(error as Error).message}`);
    }
  }

  /** @throws ConflictException if a file exists, or the turn cannot be saved */
  async save(turnId: string, body: SaveTestBody, caller: unknown): Promise<SavedTest> {
    const { name, runner, write, overwrite, recorded = [] } = body;
    const turn = await this.#savable(turnId, caller);
    const { module = await this.#module() } = body;
    if (module.from === '')
      throw new BadRequestException(
        `No source file exports ${module.name}. Say where the test finds the root module: give AiInspectorModule the ` +
          'option testedModule.',
      );
    const base = fileNameOf(name);
    const cassette = `${base}.turn.json`;
    const spec = `${base}.turn.spec.ts`;
    const parts = { title: name, runner, module, cassette: this.#folder.pathOf(cassette), recorded };
    const files: TestFile[] = [
      { name: cassette, content: await this.#cassetteOf(turn, caller) },
      { name: spec, content: specOf(parts) },
    ];
    const path = this.#folder.pathOf(spec);
    const command = `${(await hasTestScript()) ? 'npm test --' : runner === 'jest' ? 'npx jest' : 'npx vitest run'} ${path}`;
    if (write !== true) return { files, command };
    if (!this.canWrite)
      throw new BadRequestException('To write files, give AiInspectorModule the option testsDirectory.');
    await this.#folder.write(files, overwrite === true);
    return { files, command, paths: files.map((file) => this.#folder.pathOf(file.name)) };
  }

  async #savable(turnId: string, caller: unknown): Promise<InspectedTurn> {
    const turn = await this.turns.get(turnId, 'read', caller);
    if (!this.shown.isOn)
      throw new ConflictException(
        'A test contains contents, which the inspector does not show. Set ai.inspector.content=true.',
      );
    if (turn.isSavable) return turn;
    throw new ConflictException('A turn can be saved when it has ended, if all of it has run and asked a model here.');
  }

  async #cassetteOf(turn: InspectedTurn, caller: unknown): Promise<string> {
    const now = await this.previews.instructionsOf(turn.client, caller);
    const then = instructionsOf(turn.modelCalls[0]!.messages);
    return turnCassette(turn, { ownsInstructions: then !== now, redact: this.#redactorOf(turn) });
  }

  #redactorOf(turn: InspectedTurn): (text: string) => string {
    return this.shown.redactorOf([...new Set(turn.toolCalls.map(({ asked }) => asked.name))]);
  }

  async #module(): Promise<TestedModule> {
    return this.options.testedModule ?? findRootModule(this.modules, this.#folder.path);
  }
}
