import { describe, expect, it } from '@jest/globals';
import { ChatClient, FunctionToolCallback } from '@nestor-ai/core';
import { toolCall } from '../scripted-answer.js';
import { ScriptedChatModel } from '../scripted-chat-model.js';
import { evaluate, type EvaluationQuestion } from './evaluate.js';
import { expectTurn } from './expect-turn.js';

const weather = new FunctionToolCallback({ name: 'weather', description: 'The weather', toolFunction: () => 'sunny' });
const usage = { promptTokens: 1000, completionTokens: 100, totalTokens: 1100 };

/** Calls the tool before it answers. */
const good = new ScriptedChatModel(({ messages }) =>
  messages.at(-1)!.role === 'tool' ? { text: 'Sunny.', usage } : { toolCalls: [toolCall('weather')], usage },
);
/** Answers at once. */
const lazy = new ScriptedChatModel(() => ({ text: 'Rain, <b>probably</b>.', usage }), { temperature: 0.3 });

const client = ChatClient.builder(good).defaultTools(weather).defaultOptions({ maxTokens: 50 }).build();
const questions: EvaluationQuestion[] = [
  { ask: 'How is the weather?', expect: (turn) => expectTurn(turn).toCallTool('weather').toAnswer('Sunny') },
  { name: 'with history', ask: (of) => of.prompt('And now?') },
];

describe('evaluate()', () => {
  it('asks each question of each model', async () => {
    const evaluation = await evaluate({ client, questions, models: { good, lazy }, repeat: 2 });
    expect(evaluation.models).toEqual(['good', 'lazy']);
    expect(evaluation.turns.map(({ model, question, hasPassed }) => `${model}: ${question}: ${hasPassed}`)).toEqual([
      'good: How is the weather?: true',
      'good: How is the weather?: true',
      'good: with history: true',
      'good: with history: true',
      'lazy: How is the weather?: false',
      'lazy: How is the weather?: false',
      'lazy: with history: true',
      'lazy: with history: true',
    ]);
    expect(evaluation.passRate('good')).toBe(1);
    expect(evaluation.passRate('lazy')).toBe(0.5);
    expect(evaluation.passRate()).toBe(0.75);
    expect(evaluation.failures[0]!.problem).toContain("The turn did not call 'weather'.");
    expect(() => evaluation.passRate('best')).toThrow("no model 'best'. It has: good, lazy");
  });

  it('gives a model its own default options', async () => {
    await evaluate({ client, questions: [{ ask: 'Hello?' }], models: { lazy } });
    expect(lazy.lastPrompt!.options).toMatchObject({ temperature: 0.3, maxTokens: 50 });
  });

  it('counts time, tokens and cost', async () => {
    const prices = { '*': { input: 2, output: 10 } };
    const { turns } = await evaluate({ client, questions: questions.slice(0, 1), prices });
    expect(turns[0]).toMatchObject({ model: 'default', usage: { totalTokens: 2200 } });
    expect(turns[0]!.cost).toBeCloseTo(0.006);
  });

  it('prints a table', async () => {
    const evaluation = await evaluate({ client, questions, models: { good, lazy } });
    const [head, first] = evaluation.toTable().split('\n');
    expect(head).toMatch(/^Question +Model +Passed +Time +Tokens +Cost$/);
    expect(first).toMatch(/^How is the weather\? +good +1 of 1 +[\d.]+ m?s +2200 +–$/);
    expect(evaluation.toTable()).toMatch(/^All +lazy +1 of 2/m);
  });

  it('counts tokens without a total', async () => {
    const parts = { promptTokens: 20, completionTokens: 3 } as typeof usage;
    const partly = new ScriptedChatModel(() => ({ text: 'Sunny.', usage: parts }));
    const evaluation = await evaluate({ client, questions: [{ ask: 'Hello?' }], models: { partly } });
    expect(evaluation.cells[0]!.tokens).toBe(23);
  });

  it('reports a request that fails as a turn that has not passed', async () => {
    const failing = new ScriptedChatModel(() => ({ error: new Error('The model is down.') }));
    const evaluation = await evaluate({ client, questions: questions.slice(1), models: { failing } });
    expect(evaluation.turns).toMatchObject([{ hasPassed: false, problem: 'The model is down.' }]);
  });

  it('refuses options that make no sense', async () => {
    await expect(evaluate({ client, questions: [] })).rejects.toThrow('needs at least one question');
    await expect(evaluate({ client, questions, repeat: 0 })).rejects.toThrow(
      "'repeat' of evaluate() must be a positive",
    );
    const unnamed = { ask: (of: ChatClient) => of.prompt('?') };
    await expect(evaluate({ client, questions: [unnamed] })).rejects.toThrow("needs a 'name'");
  });
});
