import { type EvaluatedTurn, type EvaluationCell, figuresOf, summaryOf } from './evaluation-cell.js';

/** The result of `evaluate()`. */
export class Evaluation {
  constructor(
    /** All turns, in the order of models, questions and repetitions. */
    readonly turns: readonly EvaluatedTurn[],
  ) {}

  /** The names of the models. */
  get models(): readonly string[] {
    return [...new Set(this.turns.map(({ model }) => model))];
  }

  /** The names of the questions. */
  get questions(): readonly string[] {
    return [...new Set(this.turns.map(({ question }) => question))];
  }

  /** The turns that have not passed. */
  get failures(): readonly EvaluatedTurn[] {
    return this.turns.filter(({ hasPassed }) => !hasPassed);
  }

  /** The share of turns that have passed, from 0 to 1. @param model default: all models */
  passRate(model?: string): number {
    const turns = this.turns.filter((turn) => model === undefined || turn.model === model);
    if (turns.length === 0)
      throw new Error(`The evaluation has no model '${model}'. It has: ${this.models.join(', ')}.`);
    return turns.filter(({ hasPassed }) => hasPassed).length / turns.length;
  }

  /** A result for each question and model. */
  get cells(): readonly EvaluationCell[] {
    return this.questions.flatMap((question) =>
      this.models.map((model) => {
        const turns = this.turns.filter((turn) => turn.model === model && turn.question === question);
        return { model, question, turns, ...summaryOf(turns) };
      }),
    );
  }

  /** The results as a text table: a row for each question and model, and the sums of each model. */
  toTable(): string {
    const rows = [
      ['Question', 'Model', 'Passed', 'Time', 'Tokens', 'Cost'],
      ...this.cells.map((cell) => [cell.question, cell.model, ...figuresOf(cell)]),
      ...this.models.map((model) => {
        const turns = this.turns.filter((turn) => turn.model === model);
        return ['All', model, ...figuresOf({ turns, ...summaryOf(turns) })];
      }),
    ].map((row) => row.map((cell) => (cell.length > 60 ? `${cell.slice(0, 59)}…` : cell)));
    const widths = rows[0]!.map((_title, column) => Math.max(...rows.map((row) => row[column]!.length)));
    return rows
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd(),
      )
      .join('\n');
  }
}
