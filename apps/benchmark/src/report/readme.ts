/* Writes the last results of `npm run bench` into README, its chart and the page of results: `npm run bench:readme`. */
import { chart } from './chart.js';
import { readResults, writeResults, writeToReadme } from './files.js';
import { quoted, report } from './report.js';

const results = readResults();
if (!results) throw new Error('Nothing was measured yet: npm run bench');
const kept = writeResults(results, report);
writeToReadme(quoted(kept), chart(kept));
