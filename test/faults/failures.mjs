/* Reports the path of each test file that fails. Jest's own reporters have timers, which tests in the same process see. */
export default class Failures {
  onTestFileResult({ path }, { numFailingTests, testExecError }) {
    if (numFailingTests > 0 || testExecError) process.stderr.write(`FAIL ${path}\n`);
  }
}
