import { BadRequestException, ConflictException, Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { turnCassette } from '@nestor-ai/testing';
import type { SaveTestBody } from '../chat/chat-requests.js';
import { Previews } from '../chat/previews.js';
import { type AiInspectorOptions, INSPECTOR_OPTIONS, type TestedModule } from '../inspector.options.js';
import { instructionsOf } from '../view/instructions.js';
import { ShownContent } from '../view/shown-content.js';
import { InspectedTurns } from '../view/inspected-turns.js';
import { fileNameOf, specOf, type TestFile } from './test-files.js';
import { TestsFolder } from './tests-folder.js';

/** A turn that was saved as a test. */
export interface SavedTest {
  readonly files: readonly TestFile[];
  /** Where the files were written. Undefined if they are to be downloaded. */
  readonly paths?: readonly string[];
}

const DEFAULT_FOLDER = 'test/turns';
const DEFAULT_IMPORT = '../../src/app.module.js';

/** Makes tests of turns. */
@Injectable()
export class SavedTests {
  readonly #folder: TestsFolder;

  constructor(
    private readonly turns: InspectedTurns,
    private readonly previews: Previews,
    private readonly shown: ShownContent,
    private readonly modules: ModulesContainer,
    @Inject(INSPECTOR_OPTIONS) private readonly options: AiInspectorOptions,
  ) {
    this.#folder = new TestsFolder(options.testsDirectory ?? DEFAULT_FOLDER);
  }

  /** Whether files can be written. */
  get canWrite(): boolean {
    return this.options.testsDirectory !== undefined;
  }

  /** @throws ConflictException if a file exists, or the page shows no contents */
  async save(turnId: string, { name, runner, write, overwrite }: SaveTestBody, request: unknown): Promise<SavedTest> {
    const turn = await this.turns.get(turnId, 'read', request);
    if (!this.shown.isOn)
      throw new ConflictException(
        'A test contains contents, which the inspector does not show. Set ai.inspector.content=true.',
      );
    const [first] = turn.modelCalls;
    if (turn.status === 'running' || !first)
      throw new ConflictException('A turn can be saved when it has ended, and only if it has asked a model.');
    const now = await this.previews.instructionsOf(turn.client, request);
    const then = instructionsOf(first.messages);
    const base = fileNameOf(name);
    const cassette = `${base}.turn.json`;
    const files: TestFile[] = [
      {
        name: cassette,
        content: turnCassette(turn, { ownsInstructions: then !== now, redact: this.shown.redact }),
      },
      {
        name: `${base}.turn.spec.ts`,
        content: specOf({ title: name, runner, module: this.#module(), cassette: this.#folder.pathOf(cassette) }),
      },
    ];
    if (write !== true) return { files };
    if (!this.canWrite)
      throw new BadRequestException('To write files, give AiInspectorModule the option testsDirectory.');
    await this.#folder.write(files, overwrite === true);
    return { files, paths: files.map((file) => this.#folder.pathOf(file.name)) };
  }

  #module(): TestedModule {
    const { testedModule } = this.options;
    if (testedModule) return testedModule;
    const [root] = this.modules.values();
    return { name: root?.metatype.name ?? 'AppModule', from: DEFAULT_IMPORT };
  }
}
