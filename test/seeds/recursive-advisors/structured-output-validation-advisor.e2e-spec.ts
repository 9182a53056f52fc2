// Page "Recursive Advisors", section "StructuredOutputValidationAdvisor"
import { describe, expect, it } from '@jest/globals';
import { IsString } from 'class-validator';
import {
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  EntityOutputConverter,
  Ordered,
  StructuredOutputException,
  StructuredOutputValidationAdvisor,
  Tool,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';

class ActorFilms {
  @IsString() actor!: string;
  @IsString({ each: true }) movies!: string[];
}

class Attempts extends BaseAdvisor {
  readonly name = 'attempts';
  override readonly order = Ordered.LOWEST_PRECEDENCE - 1000; // behind the validation
  count = 0;
  override before(request: ChatClientRequest) {
    this.count++;
    return request;
  }
}

class FilmTools {
  calls = 0;
  @Tool({ description: 'Pick a random actor' })
  pickActor() {
    this.calls++;
    return 'Tom Hanks';
  }
}

const QUESTION = 'Generate the filmography for a random actor.';
const INCOMPLETE = '{"actor":"Tom Hanks"}';
const VALID = '{"actor":"Tom Hanks","movies":["Big","Cast Away"]}';
const EXPECTED = { actor: 'Tom Hanks', movies: ['Big', 'Cast Away'] };

function scene(script: ScriptEntry[], advisor: StructuredOutputValidationAdvisor) {
  const model = new ScriptedChatModel(script);
  const attempts = new Attempts();
  const chatClient = ChatClient.builder(model).defaultAdvisors(advisor, attempts).build();
  return { model, attempts, request: chatClient.prompt(QUESTION) };
}

const lastText = (model: ScriptedChatModel) => {
  const last = model.lastPrompt?.messages.at(-1);
  return last?.role === 'user' ? last.text : undefined;
};

describe('an advisor for an output type', () => {
  const validationAdvisor = () =>
    StructuredOutputValidationAdvisor.builder().outputType(ActorFilms).maxRepeatAttempts(3).build();

  it('lets a valid answer pass', async () => {
    const { model, request } = scene([VALID], validationAdvisor());
    expect(await request.call().content()).toBe(VALID);
    expect(lastText(model)).toBe(QUESTION);
  });

  it('has the model correct an answer that does not fit, and tells it what was wrong', async () => {
    const { model, attempts, request } = scene([INCOMPLETE, VALID], validationAdvisor());
    expect(await request.call().content()).toBe(VALID);
    expect(lastText(model)).toMatch(/^Generate the filmography.*\n[\s\S]*validation failed[\s\S]*movies/);
    expect(attempts.count).toBe(2);
  });

  it('has it correct what is no JSON, also when streaming, and the caller sees the valid answer only', async () => {
    const { model, request } = scene(['Sure! Tom Hanks.', VALID], validationAdvisor());
    let text = '';
    for await (const chunk of request.stream().content()) text += chunk;
    expect(text).toBe(VALID);
    expect(lastText(model)).toContain('Invalid JSON');
  });

  it('gives up after so many repetitions, with the last answer', async () => {
    const { attempts, request } = scene(Array<string>(4).fill(INCOMPLETE), validationAdvisor());
    expect(await request.call().content()).toBe(INCOMPLETE);
    expect(attempts.count).toBe(4);
  });

  it('repeats three times unless told otherwise, and never when told so', async () => {
    const usual = scene(
      Array<string>(4).fill(INCOMPLETE),
      new StructuredOutputValidationAdvisor({ outputType: ActorFilms }),
    );
    await usual.request.call().content();
    const never = StructuredOutputValidationAdvisor.builder().outputType(ActorFilms).maxRepeatAttempts(0).build();
    const once = scene([INCOMPLETE], never);
    await once.request.call().content();
    expect(usual.attempts.count).toBe(4);
    expect(once.attempts.count).toBe(1);
  });

  it('does not take a request for tools for an answer', async () => {
    const tools = new FilmTools();
    const script = [{ toolCalls: [toolCall('pickActor')] }, INCOMPLETE, VALID];
    const { model, request } = scene(script, validationAdvisor());
    expect(await request.tools(tools).call().content()).toBe(VALID);
    expect(tools.calls).toBe(1);
    expect(model.toolResponses).toEqual(['Tom Hanks']);
    model.assertDone();
  });
});

describe('an advisor for a JSON schema', () => {
  it.each([
    ['an object', new EntityOutputConverter(ActorFilms).getJsonSchema()],
    ['text', JSON.stringify(new EntityOutputConverter(ActorFilms).getJsonSchema())],
  ])('that is %s holds the answer to it', async (_name, outputJsonSchema) => {
    const advisor = StructuredOutputValidationAdvisor.builder().outputJsonSchema(outputJsonSchema).build();
    const { model, request } = scene([INCOMPLETE, VALID], advisor);
    expect(await request.call().content()).toBe(VALID);
    expect(lastText(model)).toContain('movies');
  });

  it('cannot have an output type as well, and needs one of the two', () => {
    const both = StructuredOutputValidationAdvisor.builder()
      .outputType(ActorFilms)
      .outputJsonSchema({ type: 'object' });
    expect(() => both.build()).toThrow(/not both/);
    expect(() => StructuredOutputValidationAdvisor.builder().build()).toThrow(/Either outputType or outputJsonSchema/);
  });
});

describe('an entity', () => {
  it('is validated without an advisor of its own when asked for with schema validation', async () => {
    const model = new ScriptedChatModel([INCOMPLETE, VALID]);
    const actorFilms = await ChatClient.create(model)
      .prompt()
      .user(QUESTION)
      .call()
      .entity(ActorFilms, (spec) => spec.schemaValidation());
    expect(actorFilms).toBeInstanceOf(ActorFilms);
    expect(actorFilms).toEqual(EXPECTED);
    expect(lastText(model)).toMatch(/validation failed[\s\S]*movies/);
  });

  it('is an error at the first answer that does not fit when asked for without', async () => {
    const model = new ScriptedChatModel([INCOMPLETE, VALID]);
    const asked = ChatClient.create(model).prompt().user(QUESTION).call().entity(ActorFilms);
    await expect(asked).rejects.toThrow(StructuredOutputException);
    expect(model.prompts).toHaveLength(1);
  });
});
