/* The environment of a test file that records which faults it reaches, itself or in processes that it starts. */
import SharedEnvironment from '../runner/shared-environment.mjs';

export default class FaultsEnvironment extends SharedEnvironment {
  constructor(config, context) {
    super(config, context);
    process.env.NESTOR_FAULTS_TEST = encodeURIComponent(context.testPath);
  }
}
