/*
 * Runs the test files in another order each time, to find out whether they notice each other:
 * `npm test -- --testSequencer ./test/runner/random-order.cjs`. ORDER=N repeats an order.
 */
const { createHash, randomInt } = require('node:crypto');
const { default: Sequencer } = require('@jest/test-sequencer');

const order = process.env.ORDER ?? String(randomInt(1e6));
process.stderr.write(`ORDER=${order}\n`);
const rank = ({ path }) => createHash('sha256').update(`${order} ${path}`).digest('hex');

module.exports = class RandomOrder extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }
};
