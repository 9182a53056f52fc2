import { describe, expect, it } from '@jest/globals';
import { PROPERTY_TREE } from './ai-properties.js';
import { type PropertySource, readProperties } from './read-properties.js';

const flat = (values: Record<string, unknown>): PropertySource => ({ get: (key) => values[key] });
const listed = (values: Record<string, unknown>) => ({ ...flat(values), internalConfig: values });
const read = (options?: object, source?: PropertySource) => readProperties(PROPERTY_TREE, 'ai', options, source);

describe('the properties', () => {
  it('have defaults', () => {
    const { properties, problems } = read();
    expect(problems).toEqual([]);
    expect(properties.chat.client).toMatchObject({
      defaultTools: 'discovered',
      toolCalling: { enabled: true, maxRounds: 25 },
    });
    expect(properties.tools).toMatchObject({ concurrency: 8, timeout: undefined, limits: { maxTotalToolCalls: 150 } });
    expect(Object.isFrozen(properties.tools.limits)).toBe(true);
  });

  it.each([
    ['nested objects', flat({ ai: { chat: { client: { toolCalling: { maxRounds: 3 } } } } })],
    ['nested objects in kebab case', flat({ ai: { chat: { client: { 'tool-calling': { 'max-rounds': '3' } } } } })],
    ['a flat key', flat({ 'ai.chat.client.tool-calling.max-rounds': 3 })],
    ['a flat key in camel case', flat({ 'ai.chat.client.toolCalling.maxRounds': 3 })],
    ['an environment variable', flat({ AI_CHAT_CLIENT_TOOL_CALLING_MAX_ROUNDS: '3' })],
  ])('are read from %s, which overrides the options', (_name, source) => {
    const { properties, problems } = read({ chat: { client: { toolCalling: { maxRounds: 7 } } } }, source);
    expect([properties.chat.client.toolCalling.maxRounds, problems]).toEqual([3, []]);
  });

  it('are read from the environment before files, unless the variable is empty', () => {
    const file = { ai: { tools: { timeout: '1s' } }, 'ai.tools.concurrency': 2 };
    const { tools } = read({}, flat({ ...file, AI_TOOLS_TIMEOUT: '3s', AI_TOOLS_CONCURRENCY: '4' })).properties;
    expect([tools.timeout, tools.concurrency]).toEqual([3000, 4]);
    expect(read({}, flat({ ...file, AI_TOOLS_TIMEOUT: '' })).properties.tools.timeout).toBe(1000);
  });

  it('with dots within an object are told how to be written', () => {
    const { problems } = read({}, flat({ ai: { 'tools.timeout': '5s' } }));
    expect(problems).toEqual([
      'The property ai.tools.timeout is not known. Write it nested, or as one key that begins with ai.',
    ]);
  });

  it.each(['ai.chat.client.toolCalling.max-rounds', 'ai.chat.client.tool-calling.maxRounds'])(
    'are refused in a flat key of two spellings, which names the key to write: %s',
    (key) => {
      expect(read({}, listed({ [key]: 3 })).problems).toEqual([
        `The property ${key} is not known. Did you mean ai.chat.client.tool-calling.max-rounds?`,
      ]);
    },
  );

  it('are checked in flat keys of either spelling, also below a root of several words', () => {
    const below = (key: string) => {
      const source = listed({ [`ai.chat.client.toolCalling.${key}`]: 3 });
      const root = ['ai', 'chat', 'client', 'toolCalling'];
      return readProperties(PROPERTY_TREE.chat.client.toolCalling, root, undefined, source);
    };
    expect(below('maxRounds')).toMatchObject({ properties: { maxRounds: 3 }, problems: [] });
    expect(below('maxRoundz').problems).toEqual([
      expect.stringContaining('Did you mean ai.chat.client.tool-calling.max-rounds?'),
    ]);
  });

  it('in code that repeat ai are told to leave it out', () => {
    const { problems } = read({ ai: { tools: { timeout: 5 } } });
    expect(problems).toEqual([expect.stringMatching(/^The property ai is not known.* leave out 'ai'/)]);
  });

  it('accept options in either spelling', () => {
    expect(read({ tools: { limits: { 'max-total-tool-calls': 5 } } }).properties.tools.limits.maxTotalToolCalls).toBe(
      5,
    );
  });

  it.each([
    ['500ms', 500],
    ['2s', 2000],
    ['30m', 1_800_000],
    ['1.5h', 5_400_000],
    ['250', 250],
    [250, 250],
  ])('read %p as a duration', (given, milliseconds) => {
    expect(read({ tools: { timeout: given } }).properties.tools.timeout).toBe(milliseconds);
  });

  it.each([
    ['tools,system,history', ['tools', 'system', 'history']],
    ['History, tools, tools', ['history', 'tools']],
    [['system'], ['system']],
    [[], []],
    [undefined, undefined],
  ])('read %j as parts of the prompt', (promptCaching, parts) => {
    const { properties, problems } = read({ chat: { client: { promptCaching } } });
    expect([properties.chat.client.promptCaching, problems]).toEqual([parts, []]);
  });

  it('refuse a part of the prompt that does not exist and name those that do', () => {
    expect(read({}, flat({ AI_CHAT_CLIENT_PROMPT_CACHING: 'tools,messages' })).problems).toEqual([
      "The property ai.chat.client.prompt-caching is 'tools,messages', but has to be a list of tools, system, history, separated by commas.",
    ]);
  });

  it.each([
    ['10/1m', { calls: 10, interval: 60_000 }],
    [
      { calls: 2, interval: 500 },
      { calls: 2, interval: 500 },
    ],
    ['0/1m', undefined],
    ['10', undefined],
    [{ calls: 1.5, interval: 500 }, undefined],
    [{ calls: '2', interval: 500 }, undefined],
    [{ calls: 2, interval: '1m' }, undefined],
    [{ calls: 2 }, undefined],
  ])('read %j as a rate', (rateLimit, rate) => {
    const { properties, problems } = read({ tools: { overrides: { pay: { rateLimit } } } });
    expect(properties.tools.overrides.pay?.rateLimit).toEqual(rate);
    expect(problems).toHaveLength(rate ? 0 : 1);
  });

  it('read lists and maps, also from text', () => {
    const { properties } = read(
      { tools: { limits: { maxCallsPerTool: { search: '5', write: -1 } } } },
      flat({ AI_TOOLS_LIMITS_EXCLUDED_TOOLS: 'a, b,' }),
    );
    expect(properties.tools.limits).toMatchObject({
      excludedTools: ['a', 'b'],
      maxCallsPerTool: { search: 5, write: -1 },
    });
  });

  it('are all checked, and each problem names the key, the value and the allowed values', () => {
    const { problems } = read(
      { tools: { limits: { maxCallsPerToolDefault: 0, onLimitExceeded: 'EXPLODE', maxCallsPerTool: { a: 0 } } } },
      flat({
        AI_CHAT_CLIENT_TOOL_CALLING_ENABLED: 'maybe',
        'ai.tools.timeout': 'soon',
        'ai.tools.concurrency': '1.5',
        'ai.chat.client.tool-calling.advisor-order': 2147483647,
      }),
    );
    expect(problems).toEqual([
      "The property ai.chat.client.tool-calling.enabled is 'maybe', but has to be true or false.",
      expect.stringMatching(/advisor-order is 2147483647, but has to be a whole number between/),
      "The property ai.tools.concurrency is '1.5', but has to be a whole number greater than 0.",
      expect.stringMatching(/ai\.tools\.timeout is 'soon', but has to be a duration such as 500ms, 2s/),
      expect.stringMatching(/max-calls-per-tool-default is 0, but has to be .* or -1 for no limit/),
      expect.stringMatching(/max-calls-per-tool\.a is 0, but has to be .* or -1 for no limit/),
      "The property ai.tools.limits.on-limit-exceeded is 'EXPLODE', but has to be THROW or RETURN_ERROR_RESPONSE.",
    ]);
  });

  it('merge maps by name', () => {
    const config = { ai: { tools: { limits: { maxCallsPerTool: { a: 1 } } } } };
    const { properties } = read({ tools: { limits: { maxCallsPerTool: { a: 5, b: 6 } } } }, flat(config));
    expect(properties.tools.limits.maxCallsPerTool).toEqual({ a: 1, b: 6 });
  });

  it('refuse a duration that is too long for a timer', () => {
    expect(read({ tools: { timeout: '1000h' } }).problems).toEqual([
      expect.stringMatching(/ai\.tools\.timeout is '1000h'.*at most 24 days/),
    ]);
  });

  it('report a value in the place of a group', () => {
    const { problems } = read({ tools: 'x' }, flat({ ai: { chat: { client: { toolCalling: false } } } }));
    expect(problems).toEqual([
      'The property ai.chat.client.tool-calling is false, but has to be a group of properties.',
      "The property ai.tools is 'x', but has to be a group of properties.",
    ]);
  });

  it.each([
    [5n],
    [Object.create(null)],
    [
      (() => {
        const c: { c?: unknown } = {};
        c.c = c;
        return c;
      })(),
    ],
  ])('report a value that is hard to print', (concurrency) => {
    expect(read({ tools: { concurrency } }).problems).toEqual([expect.stringMatching(/ai\.tools\.concurrency is /)]);
  });

  it('are not set by an empty environment variable', () => {
    const { properties, problems } = read({}, flat({ AI_CHAT_CLIENT_TOOL_CALLING_ENABLED: '' }));
    expect([properties.chat.client.toolCalling.enabled, problems]).toEqual([true, []]);
  });

  it('refuse unknown keys, also in a configuration with keys of other packages', () => {
    const config = {
      ai: { model: { name: 'x' }, chat: { client: { toolCaling: { enabled: false }, toolSearchAdvisor: { x: 1 } } } },
    };
    expect(read({}, flat(config)).problems).toEqual([
      'The property ai.chat.client.tool-caling is not known. Did you mean ai.chat.client.tool-calling?',
    ]);
  });

  it.each([
    [{ tools: { concurency: 3 } }, 'ai.tools.concurency', 'ai.tools.concurrency'],
    [{ tools: { maxTotalToolCalls: 3 } }, 'ai.tools.max-total-tool-calls', 'ai.tools.limits.max-total-tool-calls'],
    [{ chat: { client: { maxRounds: 3 } } }, 'ai.chat.client.max-rounds', undefined],
    [
      { tools: { overrides: { pay: { retries: 1 } } } },
      'ai.tools.overrides.pay.retries',
      'ai.tools.overrides.pay.retry',
    ],
    [{ clients: { support: { enable: true } } }, 'ai.clients.support.enable', 'ai.clients.support.enabled'],
    [{ tool: { timeout: 1 } }, 'ai.tool', 'ai.tools'],
  ])('refuse an unknown option and name the nearest one: %j', (options, key, nearest) => {
    const hint =
      nearest === undefined
        ? 'Known here: enabled, default-tools, prompt-caching, tool-calling, observations, tool-search-advisor.'
        : `Did you mean ${nearest}?`;
    expect(read(options).problems).toEqual([`The property ${key} is not known. ${hint}`]);
  });

  it('refuse unknown flat keys of configuration objects', () => {
    const internalConfig = {
      'ai.tools.concurency': 3,
      'ai.tools.overrides.a.b.timeout': '2s',
      'ai.tools.overrides.a.b.timout': '2s',
      'ai.model.name': 'x',
      'air.x': 1,
    };
    const { problems } = read({}, { ...flat(internalConfig), internalConfig } as PropertySource);
    expect(problems).toEqual([
      'The property ai.tools.concurency is not known. Did you mean ai.tools.concurrency?',
      expect.stringMatching(/^The property ai\.tools\.overrides\.a\.b\.timout is not known/),
    ]);
  });

  it.each([
    [{ model: { name: 'x', 'base-url': 'y', timezone: 'z', concurrency: 1, own: { enabled: true } } }],
    [{ model: 'gpt-5' }],
    [{ model: ['a', 'b'] }],
  ])('ignore keys of others in a shared group: %j', (ai) => {
    const internalConfig = { ai, 'ai.model.x': 1, 'ai.model.name.y': 1 };
    const source = { get: (key: string) => internalConfig[key as 'ai'], internalConfig };
    expect(read({}, source)).toMatchObject({ problems: [], properties: { model: {} } });
    expect(read(ai)).toMatchObject({ problems: [] });
  });

  it.each([
    [{ ai: { model: { timeot: '1s', 'first-chunktimeout': '1s' } } }],
    [{ 'ai.model.timeot': '1s', 'ai.model.first-chunktimeout': '1s' }],
  ])('refuse a misspelled key in a shared group: %j', (internalConfig) => {
    const source = { get: (key: string) => internalConfig[key as keyof typeof internalConfig], internalConfig };
    expect(read({}, source).problems).toEqual([
      'The property ai.model.timeot is not known. Did you mean ai.model.timeout?',
      'The property ai.model.first-chunktimeout is not known. Did you mean ai.model.first-chunk-timeout?',
    ]);
  });

  it('mark keys under the same root that may belong to others', () => {
    const { problems, unknown } = read({}, flat({ ai: { openaiApiKey: 'x', chatt: {} } }));
    expect(unknown.map(({ isForeign }) => isForeign)).toEqual([true, false]);
    expect(problems).toEqual([
      'The property ai.openai-api-key is not known. Known here: audit, chat, clients, shutdown, tools, ui, mcp, bullmq, inspector, postgres, models.',
      'The property ai.chatt is not known. Did you mean ai.chat?',
    ]);
  });

  it.each([
    ['0', 0],
    [0, 0],
    ['0s', 0],
    ['2s', 2000],
  ])('accept zero if it is allowed: %p', (drainTimeout, expected) => {
    const { properties, problems } = read({}, flat({ ai: { shutdown: { drainTimeout } } }));
    expect(problems).toEqual([]);
    expect(properties.shutdown.drainTimeout).toBe(expected);
  });

  it('say that properties in code are nested', () => {
    const { problems } = read({ 'ai.tools.timeout': '5s' } as never, undefined);
    expect(problems).toEqual([
      "The property ai.tools.timeout is not known. Properties in code are nested, and leave out 'ai': { tools: { timeout: 5000 } }.",
    ]);
  });

  it.each([['-1'], ['soon'], [-1]])('refuse an invalid duration: %p', (drainTimeout) => {
    const { problems } = read({}, flat({ ai: { shutdown: { drainTimeout } } }));
    expect(problems).toEqual([expect.stringContaining('0 or more')]);
  });
});
