/*
 * The built packages as users load them: with `import` and with `require`, from their published entry points. Run after
 * `npm run build:libs`; ends with status 1 when something is missing.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';

const require = createRequire(import.meta.url);

const PACKAGES = {
  '@nestor-ai/core': [
    'AiModule',
    'ChatClient',
    'ChatModel',
    'Tool',
    'ToolParam',
    'ToolCallingAdvisor',
    'FunctionToolCallback',
    'ObservationConvention',
    'AiEvents',
    'toSse',
    'toUIMessageStreamResponse',
  ],
  '@nestor-ai/core/testing': ['ScriptedChatModel', 'overrideTool', 'recordModel', 'toolCall'],
  '@nestor-ai/core/testing/contract': ['chatModelContract'],
  '@nestor-ai/core/event-emitter': ['OnToolCall', 'OnToolResult', 'OnTurnEnd'],
  '@nestor-ai/ai-sdk': ['AiSdkChatModel', 'AiSdkModule', 'createChatModel'],
  '@nestor-ai/tool-search': [
    'ToolSearchModule',
    'ToolSearchToolCallingAdvisor',
    'KeywordToolIndex',
    'SimpleVectorStore',
  ],
};

for (const [name, exports] of Object.entries(PACKAGES)) {
  const imported = await import(name);
  const required = require(name);
  for (const key of exports) {
    assert.equal(typeof imported[key], 'function', `import { ${key} } from '${name}'`);
    assert.equal(required[key], imported[key], `require('${name}').${key} is the same as the imported one`);
  }
}

for (const lib of ['core', 'ai-sdk', 'tool-search']) {
  const manifest = JSON.parse(readFileSync(new URL(`../../libs/${lib}/package.json`, import.meta.url), 'utf8'));
  for (const [path, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'string') continue;
    const name = posix.join(manifest.name, path);
    const commonJs = require(fileURLToPath(new URL(`../../libs/${lib}/${target.require.default}`, import.meta.url)));
    assert.deepEqual(
      Object.keys(commonJs).toSorted(),
      Object.keys(await import(name)).toSorted(),
      `${name} as CommonJS`,
    );
    for (const file of Object.values(target).flatMap(Object.values)) {
      assert.ok(existsSync(new URL(`../../libs/${lib}/${file}`, import.meta.url)), `${manifest.name} ${path}: ${file}`);
    }
  }
}

const { ChatClient, FunctionToolCallback, Tool } = require('@nestor-ai/core');
const { ScriptedChatModel, toolCall } = require('@nestor-ai/core/testing');
assert.equal(
  await ChatClient.create(new ScriptedChatModel(['Hello']))
    .prompt('Hi')
    .call()
    .content(),
  'Hello',
);
assert.equal(typeof Tool(), 'function');

// Node.js itself says what it takes for a leak: Jest does not hear it.
const warnings = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const generators = names.map(
  (name) =>
    new FunctionToolCallback({
      name,
      async *toolFunction(_input, { signal }) {
        for (let at = 0; at < 3; at++) {
          await setTimeout(1, undefined, { signal });
          yield at;
        }
      },
    }),
);
const request = (signal) =>
  ChatClient.create(new ScriptedChatModel([{ toolCalls: names.map((name) => toolCall(name)), delay: 5 }, 'Done']))
    .prompt('Go')
    .tools(generators)
    .options(signal ? { signal } : {});
const busy = (signal) =>
  Array.from({ length: 50 }, () => [
    request(signal).call().content(),
    lastValueFrom(request(signal).stream().content()),
  ]).flat();
Logger.overrideLogger(false);
await Promise.all([...busy(), ...busy(new AbortController().signal)]);
await setTimeout(0);
assert.deepEqual(warnings, [], 'many requests and tools that wait for one signal are no leak');

console.log(`${Object.keys(PACKAGES).length} entry points load with import and with require`);
