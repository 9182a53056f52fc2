/*
 * The built packages as users load them: with `import` and with `require`, from their published entry points. Run after
 * `npm run build:libs`; ends with status 1 when something is missing.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

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
  '@nestor-ai/core/testing': ['ScriptedChatModel', 'overrideTool', 'toolCall'],
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
    for (const file of [target.types, target.default]) {
      readFileSync(new URL(`../../libs/${lib}/${file}`, import.meta.url), 'utf8');
      assert.ok(file, `${manifest.name} ${path}`);
    }
  }
}

const { ChatClient, Tool } = require('@nestor-ai/core');
const { ScriptedChatModel } = require('@nestor-ai/core/testing');
assert.equal(
  await ChatClient.create(new ScriptedChatModel(['Hello']))
    .prompt('Hi')
    .call()
    .content(),
  'Hello',
);
assert.equal(typeof Tool(), 'function');
console.log(`${Object.keys(PACKAGES).length} entry points load with import and with require`);
