/* Writes what `npm run bench` has measured last into README, and the page of results anew: `npm run bench:readme`. */
import { readResults, writeResults, writeToReadme } from './files.js';
import { quoted, report } from './report.js';

const results = readResults();
if (!results) throw new Error('Nothing was measured yet: npm run bench');
writeToReadme(quoted(writeResults(results, report)));
