import type { Reporter, TestCase } from 'vitest/node';

/** Names at the end who failed and passed when tried again: a fault to look for. */
export class FlakyReporter implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) process.stdout.write(`passed at its second try only: ${name}\n`);
  }
}
