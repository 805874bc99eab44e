import type { Reporter, TestCase } from 'vitest/node';

const MAX_REASON = 2000;

/** Names the tests at the end that failed and passed on retry, with what failed first: each has a fault to look for. */
export class FlakyReporter implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const reasons = (test.result().errors ?? []).map(({ message }) => `\n${message.slice(0, MAX_REASON)}`);
    this.#lines.push(`${test.module.relativeModuleId} > ${test.fullName}${reasons.join('')}`);
  }

  onTestRunEnd(): void {
    for (const line of this.#lines) process.stdout.write(`passed at its second try only: ${line}\n`);
  }
}
