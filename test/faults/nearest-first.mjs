/* Runs test files in the order in which the command names them, and all others as usual. */
import TestSequencer from '@jest/test-sequencer';

export default class NearestFirst extends TestSequencer {
  sort(tests) {
    const position = ({ path }) => process.argv.indexOf(path);
    return super.sort(tests).sort((a, b) => position(a) - position(b));
  }
}
