import { changesMarkdown } from '../../doors/changes-markdown.ts';
import { diffSites } from '../../doors/diff-sites.ts';
import { ExitCode } from '../exit-code.ts';
import { frameLine, printChanges, unmatchedLine } from '../print-changes.ts';
import { addRuleOptions, ruleOptionsOf } from '../rule-options.ts';
import type { Verb } from '../verb.ts';

export const diff: Verb = {
  example: ['tidings diff ./site-before ./site-now', 'tidings diff ./site-before ./site-now --markdown'].join('\n'),

  configure(command) {
    addRuleOptions(command)
      .argument('<old>', 'the folder with the earlier build')
      .argument('<new>', 'the folder with the later build')
      .option('--site <url>', 'base URL for the addresses of pages', 'https://site.example/')
      .option('--clean-urls', 'the host serves x.html as /x')
      .option('--markdown', 'print the comparison as Markdown, for a pull request')
      .option('--json', 'print the comparison as JSON');
  },

  async run([before = '', after = ''], { site, cleanUrls, json, markdown, ...options }, world) {
    let changes: Parameters<typeof changesMarkdown>[0] = [];
    const report = await diffSites({
      before,
      after,
      site: String(site),
      cleanUrls: cleanUrls === true,
      ...ruleOptionsOf(options, world),
      ...(markdown === true && {
        onChanges: (told) => {
          changes = told;
        },
      }),
      onProgress: (done, total) => world.status(`reading pages: ${done} of ${total}`),
    });
    world.status('');
    for (const { file, message } of report.failed) world.complain(`${file}: ${message} It was left out.`);
    if (json) await world.print(JSON.stringify(report));
    else if (markdown)
      await world.print(changesMarkdown(changes, { heading: 'What readers would see as changed' }).trimEnd());
    else {
      await printChanges(report.changes, world);
      const { created, updated, deleted, unchanged } = report;
      await world.print(`${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`);
      if (report.frame !== undefined) await world.print(frameLine(report.frame));
      if (report.unmatched !== undefined) await world.print(unmatchedLine(report.unmatched));
    }
    return report.failed.length > 0 ? ExitCode.Incomplete : ExitCode.Done;
  },
};
