/*
 * The built packages as users load them: with `import` and with `require`, from their published entry points. Run after
 * `npm run build:libs`; ends with status 1 when something is missing.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Logger } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { ROOMS } from '../../libs/rooms.mjs';

const require = createRequire(import.meta.url);

for (const { folder, manifest, entries } of ROOMS) {
  for (const { name, path } of entries) {
    const imported = await import(name);
    const required = require(name);
    assert.ok(Object.keys(imported).length > 0, `${name} exports something`);
    for (const key of Object.keys(imported))
      assert.equal(required[key], imported[key], `require('${name}').${key} is the same as the imported one`);
    const target = manifest.exports[path];
    const commonJs = require(fileURLToPath(new URL(`../../libs/${folder}/${target.require.default}`, import.meta.url)));
    assert.deepEqual(Object.keys(commonJs).toSorted(), Object.keys(imported).toSorted(), `${name} as CommonJS`);
    for (const file of Object.values(target).flatMap(Object.values)) {
      assert.ok(existsSync(new URL(`../../libs/${folder}/${file}`, import.meta.url)), `${name}: ${file}`);
    }
  }
}

// The compiler plugin runs in the compiler, without Nest.
const withoutNest = `export function resolve(specifier, context, next) {
  if (specifier.startsWith('@nestjs/')) throw new Error(specifier + ' is loaded by ' + context.parentURL);
  return next(specifier, context);
}`;
const urlOf = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
const refuseNest = urlOf(`import { register } from 'node:module'; register(${JSON.stringify(urlOf(withoutNest))});`);
const load = (name) =>
  promisify(execFile)(process.execPath, ['--import', refuseNest, '--input-type=module', '--eval', `import '${name}'`]);
await load('@nestor-ai/compiler/plugin');
await assert.rejects(load('@nestor-ai/core'), /@nestjs\/common is loaded by/);

// A process loads only the half of the MCP SDK that its modules use. The CommonJS bundle shows what was loaded.
const MCP = fileURLToPath(new URL('../../libs/mcp/dist/bundle/index.cjs', import.meta.url));
const application = (imports) => `
  require('reflect-metadata');
  const { NestFactory } = require('@nestjs/core');
  const { AiModule } = require('@nestor-ai/core');
  const { ScriptedChatModel } = require('@nestor-ai/testing');
  const { McpClientModule, McpServerModule, McpServers } = require(${JSON.stringify(MCP)});
  class Application {}
  const imports = [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) }), ${imports}];
  const module = { module: Application, imports };
  NestFactory.createApplicationContext(module, { logger: false }).then(async (app) => {
    if (${imports.includes('Client')}) await app.get(McpServers).readResource('crm', 'a://b').catch(() => undefined);
    await app.close();
    const loaded = Object.keys(require.cache).map((file) => /@modelcontextprotocol.(\\w+)/.exec(file)?.[1]);
    console.log([...new Set(loaded)].filter(Boolean).join());
  });
`;
for (const [half, other, imports] of [
  ['server', 'client', 'McpServerModule.forRoot()'],
  ['client', 'server', `McpClientModule.forRoot({ servers: [{ name: 'crm', url: 'http://127.0.0.1:1/mcp' }] })`],
]) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', application(imports)]);
  const loaded = stdout.trim().split(',');
  assert.ok(loaded.includes(half), `${imports} loads the SDK of a ${half}, not only ${stdout}`);
  assert.ok(!loaded.includes(other), `${imports} does not load the SDK of a ${other}`);
}

const { ChatClient, FunctionToolCallback, Tool } = require('@nestor-ai/core');
const { ScriptedChatModel, toolCall } = require('@nestor-ai/testing');
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

console.log(`${ROOMS.flatMap(({ entries }) => entries).length} entry points load with import and with require`);
