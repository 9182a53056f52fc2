/*
 * Finds the places of libs/[lib]/src where a fault can be planted, and draws some of them. A place is in
 * the body of a function: what runs while a module is loaded runs once, for all tests of a process. The
 * conditions of loops are no places: an endless loop is no fair test.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Draws places. Each has a rank of its own: a change elsewhere in the sources does not change the others.
 *
 * @returns at most one place of each function, sorted by file and line
 */
export function drawPlaces(root, seed, count) {
  const ranks = new Map();
  const times = new Map();
  for (const place of allPlaces(root)) {
    const key = [seed, place.file, place.kind, place.original].join('\n');
    times.set(key, (times.get(key) ?? 0) + 1);
    ranks.set(
      createHash('sha256')
        .update(`${key}\n${times.get(key)}`)
        .digest('hex'),
      place,
    );
  }
  const drawn = new Map();
  for (const rank of [...ranks.keys()].toSorted((a, b) => (a < b ? -1 : 1))) {
    const place = ranks.get(rank);
    const owner = `${place.file}:${place.owner}`;
    if (drawn.size < count && !drawn.has(owner)) drawn.set(owner, place);
  }
  return [...drawn.values()].sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
}

function allPlaces(root) {
  const isSource = (file) => /^[^/]+\/src\/.*\.ts$/.test(file) && !/(spec|\.fixture|\.data|\.d)\.ts$/.test(file);
  return readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => isSource(file) && !file.includes('node_modules/'))
    .flatMap((file) => placesOf(`libs/${file}`, readFileSync(join(root, 'libs', file), 'utf8')));
}

export function placesOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const places = [];

  function visit(node, owner) {
    if (ts.isDecorator(node) || ts.isTypeNode(node)) return;
    if (ts.isFunctionLike(node)) {
      if (node.body) visit(node.body, node);
      return;
    }
    if (owner) {
      for (const [kind, first, last = first] of faultsOf(node)) {
        const start = first.getStart(source);
        const { line } = source.getLineAndCharacterOfPosition(start);
        const original = lines[line].trim();
        const changed = text.slice(start, last.end).replace(/\s+/g, ' ');
        places.push({ file, line: line + 1, kind, original, changed, start, end: last.end, owner: owner.pos });
      }
    }
    ts.forEachChild(node, (child) => visit(child, owner));
  }

  visit(source, undefined);
  return places;
}

/** The kinds of faults of a node, each with the first and the last node that it changes. */
function* faultsOf(node) {
  if (ts.isIfStatement(node)) yield* conditions(node.expression);
  if (ts.isConditionalExpression(node)) yield* conditions(node.condition);
  if (ts.isAwaitExpression(node)) yield ['dropped await', node];
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) yield* neighbours(node.arguments ?? []);
  if (isRemovable(node)) yield ['removed line', node];
}

/** A whole condition, and what is left of `&&` and `||` in it. */
function* conditions(expression) {
  yield ['negated condition', expression];
  yield* leftOperands(expression);
}

function* leftOperands(expression) {
  if (ts.isParenthesizedExpression(expression)) yield* leftOperands(expression.expression);
  if (ts.isPrefixUnaryExpression(expression)) yield* leftOperands(expression.operand);
  if (!ts.isBinaryExpression(expression) || !/^(&&|\|\|)$/.test(expression.operatorToken.getText())) return;
  yield* conditions(expression.left);
  yield* leftOperands(expression.right);
}

function* neighbours(args) {
  for (const [index, second] of args.entries()) {
    const first = args[index - 1];
    if (!first || ts.isSpreadElement(first) || ts.isSpreadElement(second)) continue;
    if (first.getText() !== second.getText()) yield ['swapped arguments', first, second];
  }
}

function isRemovable(node) {
  if (ts.isReturnStatement(node)) return node.expression !== undefined;
  if (ts.isThrowStatement(node)) return true;
  if (!ts.isExpressionStatement(node)) return false;
  // Without super(), no constructor of a subclass ends. A string is a directive.
  const { expression } = node;
  return !ts.isStringLiteral(expression) && expression.expression?.kind !== ts.SyntaxKind.SuperKeyword;
}
