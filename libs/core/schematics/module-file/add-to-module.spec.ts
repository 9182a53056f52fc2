import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { addToModule, type Entry } from './add-to-module.js';

const ENTRIES: Entry[] = [
  { symbol: 'ConfigModule', from: '@nestjs/config', element: 'ConfigModule.forRoot({ isGlobal: true })' },
  { symbol: 'AiModule', from: '@nestor-ai/core', element: 'AiModule.forRoot()' },
];
const HEADER = "import { Module } from '@nestjs/common';\n";
const WITH_IMPORTS = `${HEADER}import { ConfigModule } from '@nestjs/config';\nimport { AiModule } from '@nestor-ai/core';\n`;

const changed = (text: string, entries = ENTRIES, property: 'imports' | 'providers' = 'imports') =>
  addToModule(ts, text, property, entries);
const module = (metadata: string) => `\n@Module(${metadata})\nexport class AppModule {}\n`;

describe('addToModule', () => {
  it.each<[string, string, string]>([
    [
      'an empty list',
      '{\n  imports: [],\n  providers: [],\n}',
      '{\n  imports: [ConfigModule.forRoot({ isGlobal: true }), AiModule.forRoot()],\n  providers: [],\n}',
    ],
    [
      'metadata without the list',
      '{\n  providers: [],\n}',
      '{\n  imports: [ConfigModule.forRoot({ isGlobal: true }), AiModule.forRoot()],\n  providers: [],\n}',
    ],
    [
      'metadata on one line',
      '{ providers: [Cats] }',
      '{\n  imports: [ConfigModule.forRoot({ isGlobal: true }), AiModule.forRoot()],\n  providers: [Cats],\n}',
    ],
    ['empty metadata', '{}', '{\n  imports: [ConfigModule.forRoot({ isGlobal: true }), AiModule.forRoot()],\n}'],
    [
      'a list on several lines',
      '{\n  imports: [\n    Cats,\n    Dogs, // they bark\n  ],\n}',
      '{\n  imports: [\n    Cats,\n    Dogs, // they bark\n    ConfigModule.forRoot({ isGlobal: true }),\n    AiModule.forRoot(),\n  ],\n}',
    ],
    [
      'a list without a comma at its end',
      '{\n  imports: [\n    Cats,\n    Dogs // they bark\n  ]\n}',
      '{\n  imports: [\n    Cats,\n    Dogs, // they bark\n    ConfigModule.forRoot({ isGlobal: true }),\n    AiModule.forRoot(),\n  ]\n}',
    ],
    [
      'a list that starts beside its bracket',
      '{\n  imports: [Cats.forRoot({\n    lives: 9,\n  })],\n}',
      '{\n  imports: [\n    Cats.forRoot({\n      lives: 9,\n    }),\n    ConfigModule.forRoot({ isGlobal: true }),\n    AiModule.forRoot(),\n  ],\n}',
    ],
    [
      'a list with a spread',
      '{\n  imports: [...animals],\n}',
      '{\n  imports: [\n    ...animals,\n    ConfigModule.forRoot({ isGlobal: true }),\n    AiModule.forRoot(),\n  ],\n}',
    ],
  ])('adds to %s', (_form, before, after) => {
    expect(changed(HEADER + module(before))).toEqual({ text: WITH_IMPORTS + module(after) });
  });

  it('changes nothing when run a second time', () => {
    const first = changed(HEADER + module('{ imports: [Cats] }')) as { text: string };
    expect(changed(first.text)).toEqual(first);
  });

  it('adds only what is missing, and extends an import from the same package', () => {
    const text = `import { ConfigModule } from "@nestjs/config";\nimport { ChatClient } from "@nestor-ai/core";\n`;
    expect(changed(text + module('{\n  imports: [ConfigModule.forRoot()],\n}'))).toEqual({
      text:
        text.replace('ChatClient', 'ChatClient, AiModule') +
        module('{\n  imports: [ConfigModule.forRoot(), AiModule.forRoot()],\n}'),
    });
  });

  it('keeps the quotes of the file, and does not take a type import for an import of the class', () => {
    const text = `import { Module } from "@nestjs/common";\nimport type { AiModule as Ai } from "@nestor-ai/core";\n`;
    expect(changed(text + module('{}'), ENTRIES.slice(1))).toEqual({
      text: `${text}import { AiModule } from "@nestor-ai/core";\n${module('{\n  imports: [AiModule.forRoot()],\n}')}`,
    });
  });

  it('adds to the last of several modules, which can import the others', () => {
    const first = '@Module({ imports: [Cats] })\nclass CatsModule {}\n';
    const { text } = changed(HEADER + first + module('{\n  imports: [CatsModule],\n}'), ENTRIES.slice(1)) as {
      text: string;
    };
    expect(text).toContain(first + module('{\n  imports: [CatsModule, AiModule.forRoot()],\n}'));
  });

  it('does not take a comment for a module, and keeps comments', () => {
    expect(changed(HEADER + module('{ /* AiModule */ providers: [Cats] }'), ENTRIES.slice(1))).toMatchObject({
      text: expect.stringContaining('/* AiModule */'),
    });
    expect(changed(HEADER + module('{\n  imports: [\n    // AiModule\n    Cats,\n  ],\n}'))).toMatchObject({
      text: expect.stringContaining('\n    AiModule.forRoot(),\n'),
    });
  });

  it('keeps the line ends of Windows', () => {
    const text = `${HEADER}${module('{\n  imports: [\n    Cats,\n  ],\n}')}`.replaceAll('\n', '\r\n');
    const { text: after } = changed(text) as { text: string };
    expect(after).toContain('AiModule.forRoot()');
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each([
    "import { AiModule } from './ai/ai.module';\n",
    "import AiModule from './ai/ai.module';\n",
    "import * as AiModule from './ai/ai.module';\n",
    "import { type AiModule } from '@nestor-ai/core';\n",
    "import type { AiModule } from '@nestor-ai/core';\n",
    'class AiModule {}\n',
  ])('changes nothing when the name of a module is taken: %j', (line) => {
    const problem = 'its AiModule is not the one of @nestor-ai/core';
    expect(changed(HEADER + line + module('{ imports: [] }'))).toEqual({ problem });
    expect(changed(HEADER + line + module('{ imports: [AiModule] }'))).toEqual({ problem });
  });

  it('leaves a listed provider alone that is imported under another path', () => {
    const text = `${HEADER}import { CatTools } from '@app/cat.tools';\n${module('{ providers: [CatTools] }')}`;
    expect(changed(text, [{ symbol: 'CatTools', from: './cat.tools' }], 'providers')).toEqual({ text });
  });

  it('adds a provider on the line of the others where there is room', () => {
    expect(
      changed(
        HEADER + module('{\n  providers: [Cats],\n}'),
        [{ symbol: 'CatTools', from: './cat.tools' }],
        'providers',
      ),
    ).toEqual({
      text: `${HEADER}import { CatTools } from './cat.tools';\n${module('{\n  providers: [Cats, CatTools],\n}')}`,
    });
  });

  it.each([
    ['class AppModule {}', 'it has no class with @Module({ … })'],
    [module('metadata'), 'it has no class with @Module({ … })'],
    [module('{ imports }'), 'its imports are not an array literal'],
    [module('{ imports: animals.concat(Cats) }'), 'its imports are not an array literal'],
  ])('says why it cannot change %j', (text, problem) => {
    expect(changed(text)).toEqual({ problem });
  });
});
