/* Runs the jobs with nestor. */
import { measure } from './harness.js';
import { createJobs } from './nestor-jobs.js';

await measure('nestor', await createJobs());
