/*
 * How far estimateTokens() is from what two tokenizers count: `npm run bench:tokens` prints the table
 * of apps/benchmark/README.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { estimateTokens } from '@nestor-ai/schema';
import { installPeers } from '../install-peers.js';
import { PARAGRAPHS } from './paragraphs.js';

const ROOT = new URL('../../../../', import.meta.url);

interface Tokenizer {
  encode(text: string): readonly number[];
}

/** All files of a folder with an ending, as one text. */
function filesOf(folder: string, ending: string): string {
  const names = readdirSync(new URL(folder, ROOT)).filter((name) => name.endsWith(ending));
  return names.map((name) => readFileSync(new URL(folder + name, ROOT), 'utf8')).join('\n');
}

async function tokenizer(path: string): Promise<Tokenizer> {
  const module = (await import(new URL(`apps/benchmark/peers/node_modules/${path}`, ROOT).href)) as Tokenizer & {
    default?: Tokenizer;
  };
  return module.default ?? module;
}

installPeers();
const openAi = await tokenizer('gpt-tokenizer/esm/encoding/o200k_base.js');
const llama = await tokenizer('llama3-tokenizer-js/bundle/llama3-tokenizer-with-baked-data.js');

const guides = filesOf('docs/guides/', '.md');
const TEXTS: Readonly<Record<string, string>> = {
  'English, the guides without code': guides.replace(/```[^]*?```/g, ''),
  'TypeScript, the sources of the loop': filesOf('libs/core/src/advisor/', '.ts'),
  'JSON, mostly numbers': filesOf('apps/benchmark/results/', '.json').slice(0, 200_000),
  ...PARAGRAPHS,
};

console.log('| text | GPT-4o, GPT-5 (`o200k`) | Llama 3 |');
console.log('| --- | --- | --- |');
for (const [name, text] of Object.entries(TEXTS)) {
  const estimate = estimateTokens(text);
  const [first, second] = [openAi, llama].map((one) => (estimate / one.encode(text).length).toFixed(2));
  console.log(`| ${name} | ${first} | ${second} |`);
}
