import { describe, expect, it } from '@jest/globals';
import { configuredModelNames, readModelProperties, readNamedModelProperties } from './model-properties.js';

const read = (options: object, environment: object = {}) =>
  readModelProperties(options, new Map(Object.entries(environment)));
/** A source that lists its keys, as ConfigService does. */
const listing = (internalConfig: Record<string, unknown>) => ({
  internalConfig,
  get: (key: string): unknown => internalConfig[key],
});

describe('the properties of a model', () => {
  it.each([
    ['x-team=blue, x-trace=a=b', { 'x-team': 'blue', 'x-trace': 'a=b' }],
    [{ 'x-team': 'blue' }, { 'x-team': 'blue' }],
  ])('read %j as headers', (headers, expected) => {
    expect(read({ headers }).properties.headers).toEqual(expected);
  });

  it.each([
    ['headers', 'authorization: Bearer s3cret'],
    ['headers', 'x-key=s3cret\nx-other: 1'],
    ['headers', 'x-key=s3cret…'],
    ['headers', { 'x-key': 's3cret', 'x-number': 5 }],
    ['headers', ['x-key', 's3cret']],
    ['apiKey', { key: 's3cret' }],
    ['proxy', 'user:s3cret@proxy:3128'],
    ['proxy', 'http://user:s3cret@proxy:99999'],
    ['proxy', 'http://user:s3cret@'],
  ])('refuse %s %j, and the problem does not show it', (key, value) => {
    const { problems, properties } = read({ [key]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`The property ai.model.${key === 'apiKey' ? 'api-key' : key} has a value`);
    expect(problems[0]).not.toContain('s3cret');
    expect(properties).toMatchObject({ [key]: undefined });
  });

  it('of the configuration override those of code, and empty variables count as not set', () => {
    const environment = { AI_MODEL_NAME: 'from-environment', AI_MODEL_PROVIDER: '' };
    expect(read({ name: 'from-code', provider: 'openai' }, environment).properties).toMatchObject({
      name: 'from-environment',
      provider: 'openai',
    });
  });

  it('name the nearest key if one is not known', () => {
    expect(read({ providr: 'openai' }).problems.join()).toContain('Did you mean ai.model.provider?');
  });
});

describe('a model with a name', () => {
  it.each(['fast', 'gpt-4.1', 'a:b', 'a/b', '模型', 'constructor', '__proto__'])(
    'is found by its name in nested and in flat keys: %s',
    (name) => {
      const nested = listing({ ai: { models: { [name]: { name: 'some-id' } } } });
      const flat = listing({ [`ai.models.${name}.name`]: 'some-id' });
      for (const source of [nested, flat]) {
        expect(configuredModelNames(source, [])).toEqual([name]);
        expect(readNamedModelProperties(name, undefined, source)).toMatchObject({
          problems: [],
          properties: { name: 'some-id' },
        });
      }
    },
  );

  it('is found by the environment, and the longest key decides where the name ends', () => {
    const source = listing({ AI_MODELS_MY_FAST_BASE_URL: 'http://localhost', AI_MODELS_MY_FAST_NAME: 'a' });
    expect(configuredModelNames(source, [])).toEqual(['my-fast']);
    expect(configuredModelNames(source, ['myFast'])).toEqual(['myFast']);
  });
});
