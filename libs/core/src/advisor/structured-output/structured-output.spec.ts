import { describe, expect, it } from '@jest/globals';
import { createCache } from 'cache-manager';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { ChatClient } from '../../client/chat-client.js';
import type { JsonSchema } from '../../model/json-schema.js';
import type { Prompt } from '../../model/prompt.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '../../testing/index.js';
import { FunctionToolCallback } from '../../tool/function-tool-callback.js';
import { AdvisorParams } from '../advisor-params.js';
import { ToolCallingAdvisor } from '../tool-calling-advisor.js';
import { ListOutputConverter } from './list-output-converter.js';
import { cleanOutput } from './output-text.js';
import { StructuredOutputConverter } from './structured-output-converter.js';
import { ResponseCacheAdvisor } from '../response-cache-advisor.js';
import type { EntityType } from './entity-output-converter.js';
import { StructuredOutputValidationAdvisor } from './structured-output-validation-advisor.js';

class Film {
  @IsString() title!: string;
  @IsInt() @Min(1880) year!: number;
}
class Actor {
  @IsString() name!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Film) films!: Film[];
}

const tom = { name: 'Tom', films: [{ title: 'Big', year: 1988 }] };
const ask = (model: ScriptedChatModel) => ChatClient.create(model).prompt('Films of Tom?').call();
const told = (prompt: Prompt | undefined): string => {
  const user = prompt?.messages.findLast(({ role }) => role === 'user');
  return user?.role === 'user' ? user.text : '';
};

describe('an entity', () => {
  it('is an instance of its class, with everything in it', async () => {
    const actor = await ask(new ScriptedChatModel([JSON.stringify(tom)])).entity(Actor);
    expect(actor).toBeInstanceOf(Actor);
    expect(actor.films[0]).toBeInstanceOf(Film);
    expect(actor.films[0]!.year).toBe(1988);
  });

  it.each<[string, string]>([
    ['a code fence', '```json\n{"title":"Big","year":1988}\n```'],
    ['a code fence in the middle of talk', 'Here you are:\n```json\n{"title":"Big","year":1988}\n```\nEnjoy!'],
    ['thoughts', '<think>What {a} film?</think>\n{"title":"Big","year":1988}'],
    ['blanks', '\n\n  {"title":"Big","year":1988}  \n'],
    ['a property that nobody asked for', '{"title":"Big","year":1988,"stars":5}'],
    ['a number as text', '{"title":"Big","year":"1988"}'],
  ])('is understood with %s', async (_what, text) => {
    expect(await ask(new ScriptedChatModel([text])).entity(Film)).toEqual({ title: 'Big', year: 1988 });
  });

  it('may be a list, of a class or of texts, whether or not the model wraps it', async () => {
    const films = await ask(new ScriptedChatModel(['[{"title":"Big","year":1988}]'])).entity([Film]);
    expect(films[0]).toBeInstanceOf(Film);
    expect(await ask(new ScriptedChatModel(['{"value":["a","b"]}'])).entity([String])).toEqual(['a', 'b']);
    expect(await ask(new ScriptedChatModel(['[]'])).entity([Film])).toEqual([]);
  });

  it('may be a number, a truth, a text or a map', async () => {
    expect(await ask(new ScriptedChatModel(['42'])).entity(Number)).toBe(42);
    expect(await ask(new ScriptedChatModel(['{"value": true}'])).entity(Boolean)).toBe(true);
    expect(await ask(new ScriptedChatModel(['"hello"'])).entity(String)).toBe('hello');
    expect(await ask(new ScriptedChatModel(['{"a":1}'])).entity(Map)).toEqual(new Map([['a', 1]]));
  });

  it('may be what a schema describes', async () => {
    const schema = z.object({ when: z.string().transform((text) => text.length) });
    expect(await ask(new ScriptedChatModel(['{"when":"soon"}'])).entity(schema)).toEqual({ when: 4 });
    const json = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;
    expect(await ask(new ScriptedChatModel(['{"n":1}'])).entity<{ n: number }>(json)).toEqual({ n: 1 });
  });

  it('may be whatever a converter makes of the answer', async () => {
    class Yes extends StructuredOutputConverter<boolean> {
      getFormat() {
        return 'Answer yes or no.';
      }
      convert(text: string) {
        return text.startsWith('yes');
      }
    }
    const model = new ScriptedChatModel(['yes, sure']);
    expect(await ask(model).entity(new Yes())).toBe(true);
    expect(told(model.lastPrompt)).toBe('Films of Tom?\nAnswer yes or no.');
    expect(
      await ask(new ScriptedChatModel(['1. Big\n2. Splash, "Cast Away"'])).entity(new ListOutputConverter()),
    ).toEqual(['Big', 'Splash', 'Cast Away']);
  });

  it('comes with the response where that is wanted', async () => {
    const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
    const { entity, response } = await ask(new ScriptedChatModel([{ text: '[1,2]', usage }])).responseEntity([Number]);
    expect([entity, response.metadata.usage]).toEqual([[1, 2], usage]);
  });

  it.each<[string, ScriptEntry, RegExp]>([
    ['no JSON', 'I do not know', /^Invalid JSON/],
    ['nothing', '', /no answer that a value could be made of \(finish reason: stop\)/],
    ['the wrong JSON', '{"title":"Big"}', /year/],
    ['what class-validator refuses', '{"title":"Big","year":1500}', /year must not be less than 1880/],
  ])('is refused with the reason when the answer is %s', async (_what, answer, message) => {
    const entity = ask(new ScriptedChatModel([answer])).entity(Film);
    await expect(entity).rejects.toThrow(message);
    await expect(entity).rejects.toMatchObject({ name: 'StructuredOutputException' });
  });

  it('tells the place of what is wrong in a list', async () => {
    await expect(
      ask(new ScriptedChatModel(['[{"title":"Big","year":1988},{"title":5}]'])).entity([Film]),
    ).rejects.toThrow(/\[1\]/);
  });

  it('is asked for in the words of the user’s message, also when tools are called first', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('films')] }, JSON.stringify(tom)]);
    const films = new FunctionToolCallback({ name: 'films', toolFunction: () => 'Big (1988)' });
    const actor = await ChatClient.create(model).prompt('Films of Tom?').tools(films).call().entity(Actor);
    expect(actor.name).toBe('Tom');
    for (const prompt of model.prompts)
      expect(told(prompt)).toMatch(/^Films of Tom\?\nYour response should be in JSON format\./);
  });
});

describe('the provider’s own structured output', () => {
  class Wordy extends ScriptedChatModel {
    override readonly supportsStructuredOutput = false;
  }

  it('is given the schema, and the words stay as they are', async () => {
    const model = new ScriptedChatModel([JSON.stringify(tom)]);
    await ask(model).entity(Actor, (spec) => spec.useProviderStructuredOutput());
    expect(model.lastPrompt?.options?.outputSchema).toMatchObject({ type: 'object', required: ['name', 'films'] });
    expect(told(model.lastPrompt)).toBe('Films of Tom?');
  });

  it('of a list is an object around it, which providers insist on', async () => {
    const model = new ScriptedChatModel(['{"value":[1]}']);
    expect(await ask(model).entity([Number], (spec) => spec.useProviderStructuredOutput())).toEqual([1]);
    expect(model.lastPrompt?.options?.outputSchema).toMatchObject({ type: 'object', required: ['value'] });
  });

  it('may be switched on for a client, and off for a request', async () => {
    const model = new ScriptedChatModel(['1', '1']);
    const client = ChatClient.builder(model).defaultAdvisors(AdvisorParams.ENABLE_NATIVE_STRUCTURED_OUTPUT).build();
    await client.prompt('One?').call().entity(Number);
    expect(model.lastPrompt?.options?.outputSchema).toBeDefined();
    await client
      .prompt('One?')
      .advisors((a) => a.param('ai.chat.client.structured.output.native', false))
      .call()
      .entity(Number);
    expect(model.lastPrompt?.options?.outputSchema).toBeUndefined();
  });

  it.each([
    ['the model has none', new Wordy(['[1]']), [Number] as const],
    ['the form is no JSON', new ScriptedChatModel(['1']), new ListOutputConverter()],
  ])('falls back to words where %s', async (_why, model, type) => {
    await ask(model).entity(type as never, (spec) => spec.useProviderStructuredOutput());
    expect(model.lastPrompt?.options?.outputSchema).toBeUndefined();
    expect(told(model.lastPrompt)).toMatch(/\n/);
  });
});

describe('schema validation', () => {
  const wrong = '{"title":"Big"}';
  const right = '{"title":"Big","year":1988}';

  it('asks again with the error and the output that was rejected, until it fits', async () => {
    const model = new ScriptedChatModel([wrong, right]);
    const film = await ask(model).entity(Film, (spec) => spec.schemaValidation());
    expect(film.year).toBe(1988);
    expect(told(model.lastPrompt)).toMatch(
      /^Films of Tom\?\nOutput JSON validation failed because of: .*year.*\n.*rejected:\n\{"title":"Big"\}\n/,
    );
  });

  it('begins each time with the original request', async () => {
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

  it('takes fenced JSON as it is', async () => {
    const model = new ScriptedChatModel([`\`\`\`json\n${right}\n\`\`\``]);
    await ask(model).entity(Film, (spec) => spec.schemaValidation());
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

  it.each([schema, JSON.stringify(schema)])('takes a schema as an object and as text', async (outputJsonSchema) => {
    const model = new ScriptedChatModel(['{"m":1}', '{"n":1}']);
    expect(await client(model, { outputJsonSchema }).prompt('?').call().content()).toBe('{"n":1}');
  });

  it.each([
    ['inside of the tool loop', undefined],
    ['around it', ToolCallingAdvisor.DEFAULT_ORDER - 50],
  ])('works with tools, %s: only the answer is held to the schema', async (_where, advisorOrder) => {
    const asks = { text: 'Let me look', toolCalls: [toolCall('lookUp')] };
    // Around the loop, each attempt is a turn of its own.
    const again = advisorOrder === undefined ? ['five', '{"n":5}'] : ['five', asks, '{"n":5}'];
    const model = new ScriptedChatModel([asks, ...again]);
    const options = advisorOrder === undefined ? {} : { advisorOrder };
    expect(await client(model, options).prompt('?').tools(lookUp).call().content()).toBe('{"n":5}');
    model.assertDone();
  });

  it('sums the usage of all attempts', async () => {
    const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
    const model = new ScriptedChatModel([
      { text: '1', usage },
      { text: '{"n":1}', usage },
    ]);
    expect((await client(model).prompt('?').call().chatResponse())?.metadata.usage?.totalTokens).toBe(4);
  });

  it('gives the last answer when none fits, or throws where it is strict', async () => {
    const answers = ['a', 'b', 'c'];
    expect(await client(new ScriptedChatModel(answers), { maxRepeatAttempts: 2 }).prompt('?').call().content()).toBe(
      'c',
    );
    const strict = client(new ScriptedChatModel(answers), { maxRepeatAttempts: 2, strict: true }).prompt('?').call();
    await expect(strict.content()).rejects.toThrow(/does not fit after 3 attempts: Invalid JSON/);
  });

  it('holds a stream back until it is right', async () => {
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
    [{ outputType: Film, maxRepeatAttempts: -1 }, 'repeatAttempts must be greater than or equal to 0'],
    [{ outputJsonSchema: '{' }, 'Failed to parse JSON schema'],
    [
      { outputType: Film, advisorOrder: 2147483647 },
      'advisorOrder must be between HIGHEST_PRECEDENCE and LOWEST_PRECEDENCE',
    ],
  ])('cannot be made of %j', (options, message) => {
    expect(() => new StructuredOutputValidationAdvisor(options as never)).toThrow(message);
  });
});

describe('an entity of a stream', () => {
  it('grows, and is whole and checked at the end', async () => {
    const chunks = ['{"name":"To', 'm","films":[', '{"title":"Big","ye', 'ar":1988}', ']}'];
    const stream = ChatClient.create(new ScriptedChatModel([{ chunks }]))
      .prompt('?')
      .stream()
      .entity(Actor);
    const states: unknown[] = [];
    for await (const state of stream) states.push(state);
    expect(states[0]).toEqual({ name: 'To' });
    expect(states[1]).toEqual({ name: 'Tom', films: [] });
    expect(states.at(-1)).toBeInstanceOf(Actor);
    expect(states.at(-1)).toEqual(tom);
  });

  it('is the last round’s, whatever was said before a tool was called', async () => {
    const model = new ScriptedChatModel([{ text: 'Let me {see}', toolCalls: [toolCall('lookUp')] }, '[1, 2]']);
    const lookUp = new FunctionToolCallback({ name: 'lookUp', toolFunction: () => 5 });
    const stream = ChatClient.create(model).prompt('?').tools(lookUp).stream().entity([Number]);
    expect(await lastValueFrom(stream)).toEqual([1, 2]);
  });

  it('fails at the end when it is not what was asked for', async () => {
    const stream = ChatClient.create(new ScriptedChatModel(['{"title":"Big"}']))
      .prompt('?')
      .stream()
      .entity(Film);
    await expect(lastValueFrom(stream)).rejects.toThrow(/year/);
  });
});

describe('an entity of a stream whose pieces are cut anywhere', () => {
  const states = async (text: string, size: number, type: EntityType): Promise<unknown[]> => {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    const found: unknown[] = [];
    const stream = ChatClient.create(new ScriptedChatModel([{ chunks }]))
      .prompt('?')
      .stream();
    for await (const state of stream.entity(type as JsonSchema)) found.push(state);
    return found;
  };

  it.each([1, 2, 3, 5])('grows as a list, although the model wraps it (pieces of %d)', async (size) => {
    const found = await states('{"value":[{"title":"Big","year":1988},{"title":"Splash","year":1984}]}', size, [Film]);
    expect(found.every(Array.isArray)).toBe(true);
    expect(found.at(-1)).toEqual([
      { title: 'Big', year: 1988 },
      { title: 'Splash', year: 1984 },
    ]);
  });

  it.each([1, 2, 3])('never shows half a key, half a word or half a character (pieces of %d)', async (size) => {
    const whole = { title: '😀 "x"', done: true, none: null, n: -12.5 };
    const found = (await states(JSON.stringify(whole), size, { type: 'object' })) as Record<string, unknown>[];
    for (const state of found) {
      for (const [key, value] of Object.entries(state)) {
        const expected = whole[key as keyof typeof whole];
        if (typeof expected === 'string') expect(expected.startsWith(value as string)).toBe(true);
        else expect(value).toEqual(expected);
      }
    }
    expect(found.at(-1)).toEqual(whole);
  });

  it('begins anew with what a tool returns directly', async () => {
    const direct = new FunctionToolCallback({
      name: 'film',
      toolFunction: () => ({ title: 'Big', year: 1988 }),
      toolMetadata: { returnDirect: true },
    });
    const model = new ScriptedChatModel([{ text: 'Let me see', toolCalls: [toolCall('film')] }]);
    const stream = ChatClient.create(model).prompt('?').tools(direct).stream().entity(Film);
    expect(await lastValueFrom(stream)).toEqual({ title: 'Big', year: 1988 });
  });
});

describe('the type of an entity', () => {
  it('is what its class stands for', async () => {
    const call = () => ask(new ScriptedChatModel(['{"value":"a"}']));
    const text: string = await call().entity(String);
    const texts: Promise<string[]> = ask(new ScriptedChatModel(['["a"]'])).entity([String]);
    const { entity }: { entity: string } = await call().responseEntity(String);
    const film: Promise<Film[]> = ask(new ScriptedChatModel(['[]'])).entity([Film]);
    const map: Promise<Map<string, unknown>> = ask(new ScriptedChatModel(['{}'])).entity(Map);
    const parsed: Promise<{ n: number }> = ask(new ScriptedChatModel(['{"n":1}'])).entity(z.object({ n: z.number() }));
    const advisor = new StructuredOutputValidationAdvisor({ outputType: [Film] });
    expect(advisor.order).toBe(StructuredOutputValidationAdvisor.DEFAULT_ORDER);
    expect([text, await texts, entity, await film, (await map).size, (await parsed).n]).toEqual([
      'a',
      ['a'],
      'a',
      [],
      0,
      1,
    ]);
  });
});

describe('validation', () => {
  it('stops when the caller has given up', async () => {
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

  it('is not answered from a cache, and what does not fit is not kept', async () => {
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

  it('tells the usage of all attempts also where the last one reports none', async () => {
    const usage = { promptTokens: 5, completionTokens: 0, totalTokens: 5 };
    const model = new ScriptedChatModel([{ text: 'bad', usage }, '{"n":1}']);
    const advisor = new StructuredOutputValidationAdvisor({ outputJsonSchema: { type: 'object', required: ['n'] } });
    const chunks = await lastValueFrom(
      ChatClient.create(model).prompt('?').advisors(advisor).stream().chatResponse().pipe(toArray()),
    );
    expect(chunks.at(-1)?.metadata.usage?.totalTokens).toBe(5);
  });
});

describe('an answer without what is around it', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    ['```\n[1]\n```', '[1]'],
    ['<thinking>x</thinking>[1]', '[1]'],
    ['"a ```json\\n text"', '"a ```json\\n text"'],
    ['no JSON at all', 'no JSON at all'],
    ['{"title":"use <think>secret</think> tags"}', '{"title":"use <think>secret</think> tags"}'],
    ['Here: {"a":1}', '{"a":1}'],
    ['As noted in [1], it is {"a":1}', '{"a":1}'],
    ['{"a":1}\nHope this helps [sic]', '{"a":1}'],
    ['hmm, {braces}\n</think>\n{"a":1}', '{"a":1}'],
    ['[Note] here:\n```json\n{"a":1}\n```', '{"a":1}'],
    ['1 film found:\n```json\n{"a":1}\n```', '{"a":1}'],
    ['```json\n{"a":1}\n```\nor\n```json\n{"b":2}\n```', '{"a":1}'],
    ['```bash\nls\n```\n```json\n{"a":1}\n```', '{"a":1}'],
    ['Sure: ```json {"a":1}```', '{"a":1}'],
    ['```42```', '42'],
    ['```true```', 'true'],
    ['<think>only thoughts', ''],
    ['', ''],
  ])('%j is %j', (text, expected) => {
    expect(cleanOutput(text)).toBe(expected);
  });
});
