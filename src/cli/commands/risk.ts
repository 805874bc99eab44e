import { type RiskReport, scoreRisk } from '../../doors/score-risk.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { ExitCode } from '../exit-code.ts';
import { riskRulesOf } from '../feed-options.ts';
import { terminalText } from '../terminal-text.ts';
import type { Verb } from '../verb.ts';

export const risk: Verb = {
  example:
    'tidings risk https://docs.example/limits\ntidings risk page.html --json\ncat page.html | tidings risk - --fail-on-flagged',

  configure(command) {
    command
      .argument('<url|file>', 'a page on the web, or a file: HTML, .md or .txt (- for standard input)')
      .option('--json', 'print the report as JSON')
      .option('--fail-on-flagged', 'exit with 1 if the page would be flagged')
      .option('--config <file>', 'use these settings instead of tidings.config.json');
    addCrawlOptions(command);
  },

  async run([target = ''], options, world) {
    const report = await scoreRisk(target, {
      ...crawlOptionsOf(options, world),
      riskRules: riskRulesOf(world),
      signal: world.signal,
    });
    await world.print(options.json === true ? JSON.stringify(report) : asText(report));
    return report.flagged && options.failOnFlagged === true ? ExitCode.Findings : ExitCode.Done;
  },
};

function asText({ target, score, flagged, findings }: RiskReport): string {
  const verdict = flagged ? 'flagged' : 'not flagged';
  const lines = findings.map(({ rule, weight, where, context, snippet }) => {
    const place = context === 'plain' ? where : `${where}, ${context}`;
    return `  ${weight.toFixed(2)}  ${rule}  (${place})\n        ${oneLine(snippet)}`;
  });
  return terminalText([`${target}: ${shown(score)}, ${verdict} (from 0.4 on)`, ...lines].join('\n'));
}

/** Rounded down: what is not flagged is not shown as 0.40. */
function shown(score: number): string {
  return (Math.floor(score * 100) / 100).toFixed(2);
}

function oneLine(snippet: string): string {
  return snippet.replace(/\s+/g, ' ').trim();
}
