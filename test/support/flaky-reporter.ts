import type { Reporter, TestCase } from 'vitest/node';

/** Names the tests at the end that failed and passed on retry: each has a fault to look for. */
export class FlakyReporter implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) process.stdout.write(`passed at its second try only: ${name}\n`);
  }
}
