/* Measures one thing in a process of its own: `child.js SUITE [CONTESTANT [JOB]]`, or `child.js enhancers NAME`. Prints the result as JSON. */
import { printResult } from './children.js';
import { loadContestant } from './contestants/index.js';
import { measureConcurrency } from './suites/concurrency.js';
import { measureGrowth } from './suites/growth.js';
import { measureTurn } from './suites/turns.js';

const [suite = '', id = '', job = ''] = process.argv.slice(2);
printResult(await measure());
// Some peers keep the process alive.
process.exit();

async function measure(): Promise<object> {
  switch (suite) {
    case 'identity': {
      const { name, version } = await loadContestant(id);
      return { name, version };
    }
    case 'turns':
      return measureTurn(await loadContestant(id), job);
    case 'concurrency':
      return measureConcurrency(await loadContestant(id));
    case 'growth':
      return measureGrowth(await loadContestant(id));
    case 'enhancers':
      return (await import('./suites/enhancers.js')).measureEnhancers(id);
    case 'search':
      return (await import('./suites/search.js')).measureSearch();
    default:
      throw new Error(`There is no suite '${suite}'.`);
  }
}
