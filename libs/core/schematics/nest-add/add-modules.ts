import { posix } from 'node:path';
import { addToModule, type Entry, nameOfModule } from '../module-file/add-to-module.js';
import { quoteOf } from '../module-file/imports.js';
import { findRootModule } from '../module-file/root-module.js';
import { createOnce, extensionOf, loadCompiler, type Manifest, pathOf, update } from '../project.js';
import type { Tree } from '../tree.js';
import { chatFiles, chatTest } from './chat-example.js';
import { addTypesForTests, canHaveTypesForTests } from './types-for-tests.js';

const CONFIG: Entry = {
  symbol: 'ConfigModule',
  from: '@nestjs/config',
  element: 'ConfigModule.forRoot({ isGlobal: true })',
};
// The model stands in code, so that the application starts where there is no .env.
const AI_SDK: Entry = {
  symbol: 'AiSdkModule',
  from: '@nestor-ai/ai-sdk',
  element: "AiSdkModule.forRoot({ provider: 'openai', name: 'gpt-5-mini' })",
};
const AI: Entry = { symbol: 'AiModule', from: '@nestor-ai/core', element: 'AiModule.forRoot()' };

/** Adds the modules to the root module, and the example where you want it. @returns what is left to do */
export function addModules(
  tree: Tree,
  sourceRoot: string,
  manifest: Manifest,
  { wantsExample, hasPlugin }: { readonly wantsExample: boolean; readonly hasPlugin: boolean },
): string[] {
  const path = findRootModule(tree, sourceRoot);
  const elements = [CONFIG, AI_SDK, AI].map(({ element }) => element).join(', ');
  const byHand = `Add these to the imports of your root module: ${elements}.`;
  if (!path) return [`There is no app.module.ts in ${sourceRoot}. ${byHand}`];
  const ts = loadCompiler();
  if (!ts) return [`The package typescript is not installed, so ${path} was not changed. ${byHand}`];
  const text = tree.readText(path);
  const style: Style = { extension: extensionOf(manifest), quote: quoteOf(text) };
  const isListed = /\bChatModule\b/.test(text);
  const isWritten = tree.exists(pathOf(sourceRoot, 'chat/chat.module.ts'));
  const hasExample = wantsExample && !isListed && !isWritten;
  const chat: Entry = { symbol: 'ChatModule', from: relative(path, `${sourceRoot}/chat/chat.module`, style) };
  const isTyped =
    hasExample &&
    hasPlugin &&
    !/\b(?:AiModule|metadata)\b/.test(text) &&
    canHaveTypesForTests(tree, sourceRoot, manifest);
  const ai: Entry = isTyped
    ? {
        ...AI,
        element: 'AiModule.forRoot({ pluginMetadata: metadata })',
        uses: { symbol: 'metadata', from: relative(path, `${sourceRoot}/metadata`, style) },
      }
    : AI;
  const entries = [CONFIG, AI_SDK, ai, ...(hasExample ? [chat] : [])].map((entry) => inQuotes(entry, style));
  const changed = addToModule(ts, text, 'imports', entries);
  if ('problem' in changed) return [`${path} was not changed: ${changed.problem}. ${byHand}`];
  update(tree, path, changed.text);
  if (isTyped) addTypesForTests(tree, sourceRoot);
  return [
    ...(hasExample
      ? writeExample(tree, sourceRoot, { symbol: nameOfModule(ts, text), path }, { ...style, isTyped })
      : []),
    // One without the other is not the example of an earlier run.
    ...(wantsExample && isListed !== isWritten ? ['There is a ChatModule already, so no example was written.'] : []),
    ...(isGlobal(changed.text)
      ? []
      : [`ConfigModule is not global in ${path}: give it isGlobal: true, or Nestor does not read your configuration.`]),
  ];
}

/** How the files of the application are written. */
interface Style {
  readonly extension: string;
  readonly quote: string;
}

interface RootModule {
  readonly symbol: string | undefined;
  readonly path: string;
}

/** @returns what is left to do */
function writeExample(
  tree: Tree,
  sourceRoot: string,
  { symbol, path }: RootModule,
  style: Style & { readonly isTyped: boolean },
): string[] {
  const { extension, quote, isTyped } = style;
  for (const [name, content] of Object.entries(chatFiles(extension, isTyped))) {
    createOnce(tree, pathOf(sourceRoot, 'chat', name), content.replaceAll("'", quote));
  }
  if (!symbol) return [`${path} does not export its module by a name, so no test was written.`];
  const test = pathOf(posix.dirname(pathOf(sourceRoot)), 'test/chat.e2e-spec.ts');
  const from = relative(test, path.replace(/\.ts$/, ''), style);
  createOnce(tree, test, chatTest({ symbol, from }, extension).replaceAll("'", quote));
  return [];
}

const inQuotes = (entry: Entry, { quote }: Style): Entry =>
  entry.element ? { ...entry, element: entry.element.replaceAll("'", quote) } : entry;

/** Whether the configuration reaches all modules, as far as the text tells. */
const isGlobal = (text: string): boolean => !/\bConfigModule\b/.test(text) || /isGlobal\s*:/.test(text);

/** @returns the specifier that imports a file, given without its extension, from another file */
function relative(from: string, to: string, { extension }: Style): string {
  const path = posix.relative(posix.dirname(pathOf(from)), pathOf(to));
  return `${path.startsWith('.') ? '' : './'}${path}${extension}`;
}
