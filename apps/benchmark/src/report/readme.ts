/* Writes what `npm run bench` has measured last into README: `npm run bench:readme`. */
import { readResults, writeToReadme } from './files.js';
import { quoted } from './report.js';

const results = readResults();
if (!results) throw new Error('Nothing was measured yet: npm run bench');
writeToReadme(quoted(results));
