import type { ToolCallRecord } from '../turn/recorded-calls.js';
import type { Evaluation } from './evaluation.js';
import { type EvaluatedTurn, type EvaluationCell, figuresOf } from './evaluation-cell.js';

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .4rem .6rem; text-align: left; vertical-align: top; }
.bad { color: light-dark(#b3261e, #ff8a80); }
pre { background: #8881; overflow-x: auto; padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; }
`;

/** A page with the table of an evaluation and all its turns. Everything from models is escaped. */
export function reportPage({ models, questions, cells }: Evaluation): string {
  const cellOf = (question: string, model: string): EvaluationCell =>
    cells.find((cell) => cell.question === question && cell.model === model)!;
  const head = ['Question', ...models].map((title) => `<th scope="col">${escaped(title)}</th>`).join('');
  const rows = questions.map((question) => {
    const results = models.map((model) => `<td>${summary(cellOf(question, model))}</td>`).join('');
    return `<tr><th scope="row">${escaped(question)}</th>${results}</tr>`;
  });
  const turns = cells.flatMap(({ turns: all }) => all.map(detail));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evaluation</title><style>${STYLE}</style></head><body>
<h1>Evaluation</h1>
<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>
<h2>Turns</h2>
${turns.join('\n')}
</body></html>
`;
}

function summary(cell: EvaluationCell): string {
  const [passed, time, tokens, cost] = figuresOf(cell).map(escaped);
  const mark = cell.passRate === 1 ? '' : ' class="bad"';
  const costs = cell.cost === undefined ? '' : `, ${cost}`;
  return `<strong${mark}>${passed}</strong><br>${time}, ${tokens} tokens${costs}`;
}

function detail({ model, question, turn, hasPassed, problem }: EvaluatedTurn): string {
  const title = `${hasPassed ? '✓' : '✗'} ${question} (${model})`;
  const calls = turn?.toolCalls.map(describeCall).join('\n') ?? '';
  const parts = [
    ...(problem === undefined ? [] : [`<p class="bad">Problem</p><pre>${escaped(problem)}</pre>`]),
    ...(calls === '' ? [] : [`<p>Tool calls</p><pre>${escaped(calls)}</pre>`]),
    ...(turn ? [`<p>Answer</p><pre>${escaped(turn.answer)}</pre>`] : []),
  ];
  return `<details${hasPassed ? '' : ' open'}><summary>${escaped(title)}</summary>${parts.join('')}</details>`;
}

function describeCall({ asked, ran, response }: ToolCallRecord): string {
  return `${asked.name}(${(ran ?? asked).arguments})\n  → ${response?.responseData ?? '(no answer)'}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
