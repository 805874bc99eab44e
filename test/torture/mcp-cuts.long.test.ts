import { expect } from 'vitest';
import { clause } from '../clause.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { describeReport, passed } from './harness.ts';
import { tortureMcpCuts } from './mcp-cuts.ts';

clause(
  'MCP-N6',
  'calls and streams that are cut lose nothing: the cursor gives every change, once and in order',
  async () => {
    const report = await tortureMcpCuts({ rounds: shortOrLong(40, 1000), seed: 1 });
    expect(passed(report), describeReport(report)).toBe(true);
    expect(report.hits).toBeGreaterThan(report.rounds / 3);
  },
);
