import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { ChatClient } from '../../client/chat-client.js';
import type { JsonSchema } from '@nestor-ai/schema';
import type { Prompt } from '../../model/prompt.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { FunctionToolCallback } from '../../tool/function-tool-callback.js';
import { AdvisorParams } from '../advisor-params.js';
import type { EntityType } from './entity-output-converter.js';
import { ListOutputConverter } from './list-output-converter.js';
import { StructuredOutputConverter } from './structured-output-converter.js';
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
  it('is an instance of its class with all properties', async () => {
    const actor = await ask(new ScriptedChatModel([JSON.stringify(tom)])).entity(Actor);
    expect(actor).toBeInstanceOf(Actor);
    expect(actor.films[0]).toBeInstanceOf(Film);
    expect(actor.films[0]!.year).toBe(1988);
  });

  it.each<[string, string]>([
    ['a code fence', '```json\n{"title":"Big","year":1988}\n```'],
    ['a code fence within other text', 'Here you are:\n```json\n{"title":"Big","year":1988}\n```\nEnjoy!'],
    ['thoughts', '<think>What {a} film?</think>\n{"title":"Big","year":1988}'],
    ['blanks', '\n\n  {"title":"Big","year":1988}  \n'],
    ['an unknown property', '{"title":"Big","year":1988,"stars":5}'],
    ['a number as text', '{"title":"Big","year":"1988"}'],
  ])('is accepted with %s', async (_what, text) => {
    expect(await ask(new ScriptedChatModel([text])).entity(Film)).toEqual({ title: 'Big', year: 1988 });
  });

  it('may be a list of a class or of strings, whether or not the model wraps it', async () => {
    const films = await ask(new ScriptedChatModel(['[{"title":"Big","year":1988}]'])).entity([Film]);
    expect(films[0]).toBeInstanceOf(Film);
    expect(await ask(new ScriptedChatModel(['{"value":["a","b"]}'])).entity([String])).toEqual(['a', 'b']);
    expect(await ask(new ScriptedChatModel(['[]'])).entity([Film])).toEqual([]);
  });

  it('may be a number, a boolean, a string or a map', async () => {
    expect(await ask(new ScriptedChatModel(['42'])).entity(Number)).toBe(42);
    expect(await ask(new ScriptedChatModel(['{"value": true}'])).entity(Boolean)).toBe(true);
    expect(await ask(new ScriptedChatModel(['"hello"'])).entity(String)).toBe('hello');
    expect(await ask(new ScriptedChatModel(['{"a":1}'])).entity(Map)).toEqual(new Map([['a', 1]]));
  });

  it('may be described by a schema', async () => {
    const schema = z.object({ when: z.string().transform((text) => text.length) });
    expect(await ask(new ScriptedChatModel(['{"when":"soon"}'])).entity(schema)).toEqual({ when: 4 });
    const json = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;
    expect(await ask(new ScriptedChatModel(['{"n":1}'])).entity<{ n: number }>(json)).toEqual({ n: 1 });
  });

  it('may have a property called value, beside others', async () => {
    const ok = z.object({ ok: z.literal(true), value: z.string() });
    const failed = z.object({ ok: z.literal(false), error: z.string() });
    const answer = { ok: true, value: 'x' };
    expect(await ask(new ScriptedChatModel([JSON.stringify(answer)])).entity(z.union([ok, failed]))).toEqual(answer);
  });

  it('may be the result of a converter', async () => {
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

  it('comes with the response on request', async () => {
    const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
    const { entity, response } = await ask(new ScriptedChatModel([{ text: '[1,2]', usage }])).responseEntity([Number]);
    expect(entity).toEqual([1, 2]);
    expect(response.metadata.usage).toEqual(usage);
  });

  it.each<[string, ScriptEntry, RegExp]>([
    ['no JSON', 'I do not know', /^Invalid JSON/],
    ['nothing', '', /no complete answer to read a value from \(finish reason: stop\)/],
    ['the wrong JSON', '{"title":"Big"}', /year/],
    ['a violation of class-validator', '{"title":"Big","year":1500}', /year must not be less than 1880/],
  ])('is refused with the reason when the answer is %s', async (_what, answer, message) => {
    const entity = ask(new ScriptedChatModel([answer])).entity(Film);
    await expect(entity).rejects.toThrow(message);
    const error = await entity.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StructuredOutputException' });
    expect(inspect(error)).not.toContain('arguments');
  });

  it('names the index of a wrong item in a list', async () => {
    await expect(
      ask(new ScriptedChatModel(['[{"title":"Big","year":1988},{"title":5}]'])).entity([Film]),
    ).rejects.toThrow(/\[1\]/);
  });

  it('is requested in the user’s message, even if tools are called first', async () => {
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

  it('gets the schema, and the message stays unchanged', async () => {
    const model = new ScriptedChatModel([JSON.stringify(tom)]);
    await ask(model).entity(Actor, (spec) => spec.useProviderStructuredOutput());
    expect(model.lastPrompt?.options?.outputSchema).toMatchObject({ type: 'object', required: ['name', 'films'] });
    expect(told(model.lastPrompt)).toBe('Films of Tom?');
  });

  it('wraps a list in an object, as providers require', async () => {
    const model = new ScriptedChatModel(['{"value":[1]}']);
    expect(await ask(model).entity([Number], (spec) => spec.useProviderStructuredOutput())).toEqual([1]);
    expect(model.lastPrompt?.options?.outputSchema).toMatchObject({ type: 'object', required: ['value'] });
  });

  it('can be turned on for a client and off for a request', async () => {
    const model = new ScriptedChatModel(['1', '1']);
    const client = ChatClient.builder(model).defaultAdvisors(AdvisorParams.ENABLE_NATIVE_STRUCTURED_OUTPUT).build();
    await client.prompt('One?').call().entity(Number);
    expect(model.lastPrompt?.options?.outputSchema).toMatchObject({
      type: 'object',
      properties: { value: { type: 'number' } },
    });
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
  ])('falls back to instructions if %s', async (_why, model, type) => {
    await ask(model).entity(type as never, (spec) => spec.useProviderStructuredOutput());
    expect(model.lastPrompt?.options?.outputSchema).toBeUndefined();
    expect(told(model.lastPrompt)).toMatch(/\n/);
  });
});

describe('an entity of a stream', () => {
  it('grows, and is complete and checked at the end', async () => {
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

  it('comes from the last round, whatever text came before a tool call', async () => {
    const model = new ScriptedChatModel([{ text: 'Let me {see}', toolCalls: [toolCall('lookUp')] }, '[1, 2]']);
    const lookUp = new FunctionToolCallback({ name: 'lookUp', toolFunction: () => 5 });
    const stream = ChatClient.create(model).prompt('?').tools(lookUp).stream().entity([Number]);
    expect(await lastValueFrom(stream)).toEqual([1, 2]);
  });

  it('fails at the end if it does not fit', async () => {
    const stream = ChatClient.create(new ScriptedChatModel(['{"title":"Big"}']))
      .prompt('?')
      .stream()
      .entity(Film);
    await expect(lastValueFrom(stream)).rejects.toThrow(/year/);
  });
});

describe('an entity of a stream with arbitrary chunks', () => {
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

  it.each([1, 2, 3, 5])('grows as a list even if the model wraps it (chunks of %d)', async (size) => {
    const found = await states('{"value":[{"title":"Big","year":1988},{"title":"Splash","year":1984}]}', size, [Film]);
    expect(found.every(Array.isArray)).toBe(true);
    expect(found.at(-1)).toEqual([
      { title: 'Big', year: 1988 },
      { title: 'Splash', year: 1984 },
    ]);
  });

  it.each([1, 2, 3])('never contains half a key, half a word or half a character (chunks of %d)', async (size) => {
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

  it('restarts with the direct result of a tool', async () => {
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

describe('null for a property that a model leaves out', () => {
  class Note {
    @IsString() text!: string;
    @IsOptional() @IsString() author?: string;
  }
  const answer = '{"text":"Hi","author":null}';

  it('is read as absent, with and without validation of the schema', async () => {
    const entity = (isValidated: boolean) =>
      ask(new ScriptedChatModel([answer])).entity(Note, (spec) => (isValidated ? spec.schemaValidation() : spec));
    expect(await entity(false)).toEqual({ text: 'Hi' });
    expect(await entity(true)).toEqual({ text: 'Hi' });
  });

  it('is an error for a required property', async () => {
    const failing = ask(new ScriptedChatModel(Array(9).fill('{"text":null}'))).entity(Note, (spec) =>
      spec.schemaValidation(),
    );
    await expect(failing).rejects.toThrow(/text/);
  });
});

describe('the type of an entity', () => {
  it('follows from its class', async () => {
    const call = () => ask(new ScriptedChatModel(['{"value":"a"}']));
    const text: string = await call().entity(String);
    const texts: Promise<string[]> = ask(new ScriptedChatModel(['["a"]'])).entity([String]);
    const { entity }: { entity: string } = await call().responseEntity(String);
    const film: Promise<Film[]> = ask(new ScriptedChatModel(['[]'])).entity([Film]);
    const map: Promise<Map<string, unknown>> = ask(new ScriptedChatModel(['{}'])).entity(Map);
    const parsed: Promise<{ n: number }> = ask(new ScriptedChatModel(['{"n":1}'])).entity(z.object({ n: z.number() }));
    const advisor = new StructuredOutputValidationAdvisor({ outputType: [Film] });
    expect(advisor.order).toBe(StructuredOutputValidationAdvisor.DEFAULT_ORDER);
    expect(text).toBe('a');
    expect(await texts).toEqual(['a']);
    expect(entity).toBe('a');
    expect(await film).toEqual([]);
    expect((await map).size).toBe(0);
    expect((await parsed).n).toBe(1);
  });
});
