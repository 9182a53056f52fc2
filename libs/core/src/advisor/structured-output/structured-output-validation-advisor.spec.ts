import { describe, expect, it } from '@jest/globals';
import { createCache } from 'cache-manager';
import { IsInt, IsString, Min } from 'class-validator';
import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { bothWays, clientOf } from '../../../../../test/both-ways.js';
import { ChatClient } from '../../client/chat-client.js';
import type { Prompt } from '../../model/prompt.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../../tool/function-tool-callback.js';
import { ResponseCacheAdvisor } from '@nestor-ai/advisors';
import { ToolCallingAdvisor } from '../tool-calling-advisor.js';
import { EntityOutputConverter } from './entity-output-converter.js';
import { StructuredOutputConverter } from './structured-output-converter.js';
import { StructuredOutputValidationAdvisor } from './structured-output-validation-advisor.js';

class Film {
  @IsString() title!: string;
  @IsInt() @Min(1880) year!: number;
}

const ask = (model: ScriptedChatModel) => ChatClient.create(model).prompt('Films of Tom?').call();
const told = (prompt: Prompt | undefined): string => {
  const user = prompt?.messages.findLast(({ role }) => role === 'user');
  return user?.role === 'user' ? user.text : '';
};

describe('schema validation', () => {
  const wrong = '{"title":"Big"}';
  const right = '{"title":"Big","year":1988}';

  it('asks again with the error and the rejected output until it fits', async () => {
    const model = new ScriptedChatModel([wrong, right]);
    const film = await ask(model).entity(Film, (spec) => spec.schemaValidation());
    expect(film.year).toBe(1988);
    expect(told(model.lastPrompt)).toMatch(
      /^Films of Tom\?\nOutput JSON validation failed because of: .*year.*\n.*rejected:\n\{"title":"Big"\}\n/,
    );
  });

  it('starts each attempt with the original request', async () => {
    const model = new ScriptedChatModel(['nonsense', wrong, right]);
    await ask(model).entity(Film, (spec) => spec.schemaValidation());
    expect(told(model.lastPrompt)).not.toContain('nonsense');
    expect(model.lastPrompt?.messages).toHaveLength(1);
  });

  it('gives up after three more attempts', async () => {
    const model = new ScriptedChatModel([wrong, wrong, wrong, wrong]);
    await expect(ask(model).entity(Film, (spec) => spec.schemaValidation())).rejects.toThrow(/year/);
    model.assertDone();
  });

  it('accepts fenced JSON', async () => {
    const model = new ScriptedChatModel([`\`\`\`json\n${right}\n\`\`\``]);
    expect(await ask(model).entity(Film, (spec) => spec.schemaValidation())).toEqual({ title: 'Big', year: 1988 });
    model.assertDone();
  });
});

describe('the validation advisor', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  };
  const client = (model: ScriptedChatModel, options = {}) =>
    ChatClient.builder(model)
      .defaultAdvisors(new StructuredOutputValidationAdvisor({ outputJsonSchema: schema, ...options }))
      .build();
  const lookUp = new FunctionToolCallback({ name: 'lookUp', toolFunction: () => 5 });

  it.each([schema, JSON.stringify(schema)])('accepts a schema as an object and as text', async (outputJsonSchema) => {
    const model = new ScriptedChatModel(['{"m":1}', '{"n":1}']);
    expect(await client(model, { outputJsonSchema }).prompt('?').call().content()).toBe('{"n":1}');
  });

  it.each([
    ['inside the tool loop', undefined],
    ['around it', ToolCallingAdvisor.DEFAULT_ORDER - 50],
  ])('works with tools, %s: only the answer is checked', async (_where, advisorOrder) => {
    const asks = { text: 'Let me look', toolCalls: [toolCall('lookUp')] };
    // Around the loop, each attempt is a separate turn.
    const again = advisorOrder === undefined ? ['five', '{"n":5}'] : ['five', asks, '{"n":5}'];
    const model = new ScriptedChatModel([asks, ...again]);
    const options = advisorOrder === undefined ? {} : { advisorOrder };
    expect(await client(model, options).prompt('?').tools(lookUp).call().content()).toBe('{"n":5}');
    model.assertDone();
  });

  it('adds up the usage of all attempts', async () => {
    const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
    const model = new ScriptedChatModel([
      { text: '1', usage },
      { text: '{"n":1}', usage },
    ]);
    expect((await client(model).prompt('?').call().chatResponse())?.metadata.usage?.totalTokens).toBe(4);
  });

  it('returns the last answer if none fits, or throws if it is strict', async () => {
    const answers = ['a', 'b', 'c'];
    expect(await client(new ScriptedChatModel(answers), { maxRepeatAttempts: 2 }).prompt('?').call().content()).toBe(
      'c',
    );
    const strict = client(new ScriptedChatModel(answers), { maxRepeatAttempts: 2, strict: true }).prompt('?').call();
    await expect(strict.content()).rejects.toThrow(/does not fit after 3 attempts: Invalid JSON/);
  });

  it('holds a stream back until it is valid', async () => {
    const model = new ScriptedChatModel(['{"m": 1}', '{"n": 1}']);
    const chunks = await lastValueFrom(client(model).prompt('?').stream().content().pipe(toArray()));
    expect(chunks.join('')).toBe('{"n": 1}');
  });

  it('lets tool calls of a stream pass', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('lookUp')] }, '{"n": 5}']);
    const chunks = await lastValueFrom(client(model).prompt('?').tools(lookUp).stream().content().pipe(toArray()));
    expect(chunks.join('')).toBe('{"n": 5}');
  });

  it.each([
    [{}, 'Either outputType or outputJsonSchema must be set.'],
    [{ outputType: Film, outputJsonSchema: schema }, 'Only outputType or outputJsonSchema can be set, not both.'],
    [{ outputType: Film, maxRepeatAttempts: -1 }, 'maxRepeatAttempts must be greater than or equal to 0'],
    [{ outputJsonSchema: '{' }, 'Failed to parse JSON schema'],
    [
      { outputType: Film, advisorOrder: 2147483647 },
      'advisorOrder must be between HIGHEST_PRECEDENCE and LOWEST_PRECEDENCE',
    ],
  ])('refuses the options %j', (options, message) => {
    expect(() => new StructuredOutputValidationAdvisor(options as never)).toThrow(message);
  });
});

describe.each(bothWays)('an answer that is read as text (%s)', (_how, content) => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  };
  class Count {
    @IsInt() n!: number;
  }
  const answered = async (script: string[], options: object) => {
    const model = new ScriptedChatModel(script);
    const text = await content(clientOf(model, new StructuredOutputValidationAdvisor(options)));
    model.assertDone();
    return text;
  };

  it.each([
    ['a schema', { outputJsonSchema: schema }],
    ['a class', { outputType: Count }],
    ['a schema library', { outputType: z.strictObject({ n: z.int() }) }],
    ['a converter', { outputType: new EntityOutputConverter(Count) }],
  ])('fits %s exactly', async (_what, options) => {
    const answers = ['{"n":"5"}', '{"n":5,"m":1}', '{"n":5}'];
    expect(await answered(answers, options)).toBe('{"n":5}');
  });

  it('fits the JSON Schema of a custom converter', async () => {
    class Lenient extends StructuredOutputConverter<number> {
      getFormat = () => 'A number in JSON.';
      override getJsonSchema = () => ({ type: 'integer' });
      convert = (text: string) => Number.parseInt(text.replaceAll('"', ''), 10);
    }
    expect(await answered(['"5"', '5'], { outputType: new Lenient() })).toBe('5');
  });

  it('is only the JSON, without fences, chatter and thoughts', async () => {
    expect(await answered(['<think>5?</think>\nHere:\n```json\n{"n":5}\n```'], { outputType: Count })).toBe('{"n":5}');
  });

  it.each([
    ['bare', '[{"n":5}]'],
    ['in the object around it', '{"value":[{"n":5}]}'],
  ])('is the list itself if the model sends it %s', async (_how2, text) => {
    expect(await answered([text], { outputType: [Count] })).toBe('[{"n":5}]');
    expect(await answered([text], { outputJsonSchema: { type: 'array', items: schema } })).toBe('[{"n":5}]');
  });

  it('is not requested again if the conversion to an entity corrects it', async () => {
    const model = new ScriptedChatModel(['{"n":"5","m":1}', '{"n":"5","m":1}']);
    const client = clientOf(model, new StructuredOutputValidationAdvisor({ outputType: Count }));
    expect(await client.prompt('?').call().entity(Count)).toEqual({ n: 5 });
    expect(await lastValueFrom(client.prompt('?').stream().entity(Count))).toEqual({ n: 5 });
    model.assertDone();
  });
});

describe('an invalid schema', () => {
  const wrong = { type: 'object', properties: { n: { type: 'strin' } } };

  it.each([wrong, JSON.stringify(wrong), { type: 'object', properties: { n: { $ref: '#/$defs/no' } } }])(
    'is refused by the advisor: %j',
    (outputJsonSchema) => {
      const builder = StructuredOutputValidationAdvisor.builder().outputJsonSchema(outputJsonSchema);
      expect(() => builder.build()).toThrow(/^The JSON Schema of the answer cannot be used: /);
    },
  );

  it.each(['null', '5', '"text"', '[]'])('is refused by the advisor: the text %s', (outputJsonSchema) => {
    expect(() => new StructuredOutputValidationAdvisor({ outputJsonSchema })).toThrow(
      'The JSON Schema of the answer cannot be used: it is not an object.',
    );
  });

  it('is refused before the model is asked for an entity', async () => {
    const model = new ScriptedChatModel([]);
    const request = ChatClient.create(model).prompt('?');
    const message = /cannot be used: .*type/;
    await expect(request.call().entity(wrong)).rejects.toThrow(message);
    await expect(request.call().entity(wrong, (spec) => spec.schemaValidation())).rejects.toThrow(message);
    await expect(request.call().entity(wrong, (spec) => spec.useProviderStructuredOutput())).rejects.toThrow(message);
    expect(() => request.stream().entity(wrong)).toThrow(message);
    expect(model.prompts).toEqual([]);
  });
});

describe('validation', () => {
  it('stops when the caller has aborted', async () => {
    const caller = new AbortController();
    const model = new ScriptedChatModel([
      () => {
        caller.abort(new Error('enough'));
        return 'nonsense';
      },
      'nonsense',
    ]);
    const spec = ChatClient.create(model)
      .prompt('?')
      .options({ signal: caller.signal, internalToolExecutionEnabled: false });
    await expect(spec.call().entity(Film, (entity) => entity.schemaValidation())).rejects.toThrow('enough');
    expect(model.prompts).toHaveLength(1);
  });

  it('bypasses the cache, and answers that do not fit are not cached', async () => {
    const model = new ScriptedChatModel(['bad', 'bad', 'bad', '{"title":"Big","year":1988}', 'worse']);
    const client = ChatClient.builder(model)
      .defaultAdvisors(new ResponseCacheAdvisor({ cache: createCache() }))
      .build();
    const film = await client
      .prompt('?')
      .call()
      .entity(Film, (entity) => entity.schemaValidation());
    expect(film.title).toBe('Big');
    await expect(client.prompt('?').call().entity(Film)).rejects.toThrow(/Invalid JSON/);
    model.assertDone();
  });

  it('reports the usage of all attempts even if the last one has none', async () => {
    const usage = { promptTokens: 5, completionTokens: 0, totalTokens: 5 };
    const model = new ScriptedChatModel([{ text: 'bad', usage }, '{"n":1}']);
    const advisor = new StructuredOutputValidationAdvisor({ outputJsonSchema: { type: 'object', required: ['n'] } });
    const chunks = await lastValueFrom(
      ChatClient.create(model).prompt('?').advisors(advisor).stream().chatResponse().pipe(toArray()),
    );
    expect(chunks.at(-1)?.metadata.usage?.totalTokens).toBe(5);
  });
});
