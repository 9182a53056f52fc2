import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { Tool, ToolContext, ToolInputRequiredException, ToolRegistry } from '@nestor-ai/core';
import { McpServerModule } from '@nestor-ai/mcp';
import { resultOf, startApplication } from '../nest/application.js';
import { URL_OF_SERVER } from './fixtures/in-process-server.js';
import { LegacyHttpServer } from './fixtures/legacy-http-server.js';
import { ann, ask, bob, decide, questionOf, start, Turns } from './support/elicitation.js';
import { Remote, saying } from './support/remote.js';

const SEAT = {
  message: 'Which seat?',
  requestedSchema: { type: 'object' as const, properties: { seat: { type: 'string' as const } }, required: ['seat'] },
};
const MEAL = {
  message: 'Which meal?',
  requestedSchema: { type: 'object' as const, properties: { meal: { type: 'string' as const } } },
};

const elicitation = (params: object) => ({ method: 'elicitation/create', params: { mode: 'form', ...params } });
const asking = (inputRequests: object, requestState?: unknown) => ({
  resultType: 'input_required',
  inputRequests,
  requestState,
});
const page = (url: string) => ({ mode: 'url', message: 'Please pay', url, elicitationId: 'e1' });
const SECRET = 'state-of-the-server';

const over = ({ fetch }: Pick<Remote, 'fetch'>) => ({ url: URL_OF_SERVER, fetch });

describe('a server that asks the user for input', () => {
  /** Asks for a seat, and books it. */
  function airline(): Remote {
    const remote = new Remote('book');
    remote.call = ({ answers, caller }) => {
      if (!answers.inputResponses) return asking({ seat: elicitation(SEAT) }, SECRET);
      return saying(`${JSON.stringify(answers)} for ${caller.requestInfo!.headers.get('authorization')}`);
    };
    return remote;
  }

  it('gets the answer of the user, with its own state', async () => {
    const remote = airline();
    const scene = await start(over(remote));
    const asked = await ask(scene);
    expect(questionOf(asked)).toEqual({ message: 'Which seat?', schema: SEAT.requestedSchema });
    expect(inspect(asked, { depth: 20 })).not.toContain(SECRET);
    expect(remote.calls[0]!.answers).toEqual({ inputResponses: undefined, requestState: undefined });
    await expect(decide(scene, asked, { input: { seat: 7 } })).rejects.toThrow("'seat'");
    await decide(scene, asked, { input: { seat: '12A' } });
    const accepted = { seat: { action: 'accept', content: { seat: '12A' } } };
    expect(resultOf(scene)).toBe(
      `${JSON.stringify({ inputResponses: accepted, requestState: SECRET })} for Bearer ann`,
    );
    expect(remote.calls).toHaveLength(2);
  });

  it('is not called again if the user declines', async () => {
    const remote = airline();
    const scene = await start(over(remote));
    await decide(scene, await ask(scene), { approved: false, reason: 'too far' });
    expect(resultOf(scene)).toContain('too far');
    expect(remote.calls).toHaveLength(1);
  });

  it('may ask several questions, which the user answers one after the other', async () => {
    const remote = new Remote('book');
    remote.call = ({ answers }) =>
      answers.inputResponses
        ? saying(JSON.stringify(answers.inputResponses))
        : asking({ __proto__: null, seat: elicitation(SEAT), pay: elicitation(page('https://pay.example/7')) });
    const scene = await start(over(remote));
    const first = await ask(scene);
    const second = await decide(scene, first, { input: { seat: '12A' } });
    expect(remote.calls).toHaveLength(1);
    expect(questionOf(second)).toEqual({ message: 'Please pay', url: 'https://pay.example/7' });
    await decide(scene, second, {});
    expect(JSON.parse(resultOf(scene))).toEqual({
      seat: { action: 'accept', content: { seat: '12A' } },
      pay: { action: 'accept' },
    });
  });

  it('may ask again, and gets only the answers of the last round', async () => {
    const remote = new Remote('book');
    remote.call = ({ answers: { inputResponses, requestState } }) => {
      if (!inputResponses) return asking({ q: elicitation(SEAT) }, 'one');
      if (requestState === 'one') return asking({ q: elicitation(MEAL) }, 'two');
      return saying(JSON.stringify({ inputResponses, requestState }));
    };
    const scene = await start(over(remote));
    const second = await decide(scene, await ask(scene), { input: { seat: '12A' } });
    expect(questionOf(second)?.message).toBe('Which meal?');
    await decide(scene, second, { input: { meal: 'soup' } });
    const inputResponses = { q: { action: 'accept', content: { meal: 'soup' } } };
    expect(JSON.parse(resultOf(scene))).toEqual({ inputResponses, requestState: 'two' });
  });

  it('cannot ask forever', async () => {
    const remote = new Remote('book');
    remote.call = () => asking({ q: elicitation(MEAL) });
    const scene = await start(over(remote));
    let asked = await ask(scene);
    for (let round = 1; round < 10; round++) asked = await decide(scene, asked, { input: {} });
    expect(questionOf(asked)?.message).toBe('Which meal?');
    await decide(scene, asked, { input: {} });
    expect(resultOf(scene)).toContain('more than 10 questions');
    expect(remote.calls).toHaveLength(11);
  });

  it('may want to be asked again later', async () => {
    const remote = new Remote('book');
    remote.call = ({ answers: { requestState } }) =>
      requestState === undefined ? { resultType: 'input_required', requestState: 'later' } : saying(`${requestState}`);
    const scene = await start(over(remote));
    await ask(scene);
    expect(resultOf(scene)).toBe('later');
  });

  it('is answered by another instance of the application, with the credential of who resumes', async () => {
    const turns = new Turns();
    const remote = airline();
    const asked = await ask(await start(over(remote), { turns }));
    expect(turns.rows.at(-1)).toContain(SECRET);
    const other = await start(over(remote), { turns, script: ['done'] });
    await expect(decide(other, asked, { input: { seat: '1A' } }, bob)).rejects.toMatchObject({ problem: 'forbidden' });
    await decide(other, asked, { input: { seat: '12A' } });
    expect(resultOf(other)).toContain('for Bearer ann');
    expect(remote.calls.map(({ caller }) => caller.requestInfo!.headers.get('authorization'))).toEqual([
      'Bearer ann',
      'Bearer ann',
    ]);
  });

  it('may ask before it gives a resource or a prompt', async () => {
    const remote = new Remote();
    remote.read = (uri, { inputResponses }) =>
      inputResponses
        ? { contents: [{ uri, text: JSON.stringify(inputResponses) }] }
        : asking({ seat: elicitation(SEAT) });
    remote.get = (_name, _args, { inputResponses }) =>
      inputResponses
        ? { messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(inputResponses) } }] }
        : asking({ seat: elicitation(SEAT) });
    const server = { ...over(remote), resourceTools: true, promptTools: true };
    for (const [tool, input] of [
      ['air_read_resource', { uri: 'file:///a' }],
      ['air_get_prompt', { name: 'a' }],
    ] as const) {
      const scene = await start(server, { tool, input });
      const asked = await ask(scene);
      expect(questionOf(asked)?.message).toBe('Which seat?');
      await decide(scene, asked, { input: { seat: '12A' } });
      expect(resultOf(scene)).toContain('"content":{"seat":"12A"}');
    }
  });

  const form = (requestedSchema: unknown) => elicitation({ message: 'Hi', requestedSchema });
  const fields = (properties: unknown) => form({ type: 'object', properties });
  it.each<[string, unknown]>([
    ['a pattern that takes exponential time', fields({ a: { type: 'string', pattern: '^(a+)+(?=b)$' } })],
    ['a schema of 1 MB', fields({ a: { type: 'string', description: 'x'.repeat(1_000_000) } })],
    ['a nested schema', fields({ a: { type: 'object', properties: {} } })],
    ['a list of objects', fields({ a: { type: 'array', items: { type: 'object' } } })],
    [
      'a field __proto__',
      JSON.parse(
        '{"method":"elicitation/create","params":{"message":"Hi","requestedSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}}',
      ),
    ],
    ['a form without a schema', elicitation({ message: 'Hi' })],
    ['a message of 5,000 characters', elicitation({ ...SEAT, message: 'x'.repeat(5_000) })],
    ['no message', elicitation({ ...SEAT, message: ' ' })],
    ['javascript:', elicitation(page('javascript:alert(1)'))],
    ['a name before the host', elicitation(page('https://bank.example@evil.example/'))],
    ['a page without an address', elicitation({ mode: 'url', message: 'Hi' })],
    ['sampling', { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }],
    ['the roots', { method: 'roots/list' }],
    ['deep data', '@deep'],
    ['nothing', null],
    ['a text', 'elicitation/create'],
  ])('is refused if one of its questions has %s', async (_what, question) => {
    const remote = new Remote('book');
    const result = JSON.stringify(asking({ fine: elicitation(SEAT), question }, 's'));
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const params = `{"mode":"form","message":"Hi","requestedSchema":{"type":"object","properties":${deep}}}`;
    remote.answerUnchecked(result.replace('"@deep"', `{"method":"elicitation/create","params":${params}}`));
    const scene = await start(over(remote));
    expect((await ask(scene))?.pendingApprovals).toEqual([]);
    expect(resultOf(scene)).toMatch(/^The MCP server 'air' needs input from the user for the tool 'book'/);
    expect(resultOf(scene).length).toBeLessThan(400);
  });

  it.each([
    ['a state of 100,000 characters', asking({ seat: elicitation(SEAT) }, 'x'.repeat(100_000))],
    [
      'too many questions',
      asking(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [at, elicitation(SEAT)]))),
    ],
    ['a result without questions and state', { resultType: 'input_required' }],
    ['questions in a list', asking([elicitation(SEAT)])],
  ])('is refused with %s', async (_what, result) => {
    const remote = new Remote('book');
    remote.answerUnchecked(result);
    const scene = await start(over(remote));
    expect((await ask(scene))?.pendingApprovals).toEqual([]);
    expect(resultOf(scene)).toContain("MCP server 'air'");
  });

  it('has keys that are no properties', async () => {
    const remote = new Remote('book');
    const bodies: string[] = [];
    remote.answerUnchecked(
      JSON.parse(JSON.stringify(asking({ x: elicitation(MEAL) }, 's')).replace('"x"', '"__proto__"')) as object,
    );
    const answer = remote.intercept!;
    remote.intercept = async (request) => {
      bodies.push(await request.clone().text());
      return answer(request);
    };
    const scene = await start(over(remote));
    await decide(scene, await ask(scene), { input: {} });
    expect(bodies.at(-1)).toContain('"inputResponses":{"__proto__":{"action":"accept","content":{}}}');
  });

  it('shows its state to no listener of the turn', async () => {
    const { client } = await start(over(airline()));
    const events: unknown[] = [];
    for await (const event of client.prompt('Go').request(ann).stream().events()) events.push(event);
    expect(inspect(events, { depth: 20 })).toContain('Which seat?');
    expect(inspect(events, { depth: 20 })).not.toContain(SECRET);
  });

  it('throws for code that calls the tool outside a turn', async () => {
    const { app } = await start(over(airline()));
    const [book] = await app.get(ToolRegistry).currentCallbacks(ann);
    const error: unknown = await Promise.resolve(book!.call('{}')).catch((thrown: unknown) => thrown);
    expect(inspect(error, { depth: 9 })).toContain('ToolInputRequiredException');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
  });
});

describe('a server of protocol 2025 that asks the user in the middle of a call', () => {
  it('runs the tool again, and gets the answers in their order', async () => {
    const server = new LegacyHttpServer();
    let runs = 0;
    server.ask = async (elicit) => {
      runs++;
      const seat = await elicit(SEAT);
      if (seat.action !== 'accept') throw new Error('no seat');
      return [seat, await elicit(MEAL), await elicit(SEAT)];
    };
    const scene = await start(over(server), { tool: 'ask' });
    const first = await ask(scene);
    expect(questionOf(first)).toEqual({ message: 'Which seat?', schema: SEAT.requestedSchema });
    const second = await decide(scene, first, { input: { seat: '1A' } });
    expect(questionOf(second)?.message).toBe('Which meal?');
    const third = await decide(scene, second, { input: { meal: 'soup' } });
    expect(questionOf(third)?.message).toBe('Which seat?');
    await decide(scene, third, { input: { seat: '2B' } });
    expect(JSON.parse(resultOf(scene))).toEqual([
      { action: 'accept', content: { seat: '1A' } },
      { action: 'accept', content: { meal: 'soup' } },
      { action: 'accept', content: { seat: '2B' } },
    ]);
    expect(runs).toBe(4);
  });

  it('has not run the tool again if the user declines', async () => {
    const server = new LegacyHttpServer();
    let runs = 0;
    server.ask = (elicit) => {
      runs++;
      return elicit(MEAL);
    };
    const scene = await start(over(server), { tool: 'ask' });
    await decide(scene, await ask(scene), { approved: false });
    expect(resultOf(scene)).toContain('declined');
    expect(runs).toBe(1);
  });

  it('cannot ask forever with other words each time', async () => {
    const server = new LegacyHttpServer();
    let runs = 0;
    server.ask = (elicit) => elicit({ ...MEAL, message: `Question ${++runs}` });
    const scene = await start(over(server), { tool: 'ask' });
    let asked = await ask(scene);
    while (questionOf(asked)) asked = await decide(scene, asked, { input: {} });
    expect(runs).toBe(11);
    expect(resultOf(scene)).toContain('more than 10 questions');
  });

  it('may want the user to open a page before the call', async () => {
    const server = new LegacyHttpServer();
    let isPaid = false;
    server.ask = async () => {
      if (isPaid) return 'paid';
      throw new UrlElicitationRequiredError([page('https://pay.example/7') as never]);
    };
    const scene = await start(over(server), { tool: 'ask' });
    const asked = await ask(scene);
    expect(questionOf(asked)).toEqual({ message: 'Please pay', url: 'https://pay.example/7' });
    const again = await decide(scene, asked, {});
    expect(questionOf(again)?.url).toBe('https://pay.example/7');
    isPaid = true;
    await decide(scene, again, {});
    expect(resultOf(scene)).toBe('"paid"');
  });

  it('may send deep data', async () => {
    const texts = ['"x"', '{}', '['.repeat(50_000) + ']'.repeat(50_000)].map(
      (url) =>
        `{"code":-32042,"message":"SECRET","data":{"elicitations":[{"message":"Hi","url":${url},"more":${url}}]}}`,
    );
    for (const error of texts) {
      const remote = new Remote('book');
      remote.intercept = async (request) => {
        const { id, method } = (await request.json()) as { id?: number; method: string };
        if (method !== 'tools/call') return undefined;
        const headers = { 'content-type': 'application/json' };
        return new Response(`{"jsonrpc":"2.0","id":${id},"error":${error}}`, { headers });
      };
      const scene = await start(over(remote));
      expect(questionOf(await ask(scene))).toBeUndefined();
      expect(resultOf(scene)).toMatch(
        /^The MCP server 'air' needs input .* The tool asks its user for input, but the url/,
      );
    }
  });

  it.each([
    ['javascript:alert(1)', "needs input from the user for the tool 'ask'"],
    [undefined, 'refused the call (-32042)'],
  ])('is refused with the page %s', async (url, text) => {
    const server = new LegacyHttpServer();
    server.ask = () => {
      throw new UrlElicitationRequiredError(url === undefined ? [] : [page(url) as never]);
    };
    const scene = await start(over(server), { tool: 'ask' });
    expect(questionOf(await ask(scene))).toBeUndefined();
    expect(resultOf(scene)).toContain(text);
  });
});

it('a @Tool() method of another application asks the user of this one', async () => {
  @Injectable()
  class Airline {
    @Tool({ mcp: true })
    book({ input }: ToolContext): string {
      const { message, requestedSchema: schema } = SEAT;
      if (!input) throw new ToolInputRequiredException({ message, schema, state: SECRET });
      return `seat ${String(input.content['seat'])} with ${String(input.state)}`;
    }
  }
  const { app } = await startApplication({ imports: [McpServerModule.forRoot()], providers: [Airline] });
  await app.listen(0, '127.0.0.1');
  const scene = await start({ url: `${await app.getUrl()}/mcp` });
  const asked = await ask(scene);
  expect(questionOf(asked)).toEqual({ message: 'Which seat?', schema: SEAT.requestedSchema });
  await decide(scene, asked, { input: { seat: '12A' } });
  expect(resultOf(scene)).toBe(`seat 12A with ${SECRET}`);
});
