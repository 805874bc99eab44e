import { Option } from 'commander';
import { changesMarkdown } from '../../doors/changes-markdown.ts';
import { type PublishOptions, type PublishReport, publish as publishSite } from '../../doors/publish.ts';
import { reportLine, rootHint } from '../../doors/report-line.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { showCrawlStatus } from '../crawl-status.ts';
import { ExitCode } from '../exit-code.ts';
import { collect, isPrivateAllowed, wholeNumber } from '../option-values.ts';
import { frameLine, printChanges, unmatchedLine } from '../print-changes.ts';
import { addPublishOptions, publishOptionsOf } from '../publish-options.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const publishVerb: Verb = {
  example: [
    'tidings publish ./site --site https://docs.example/',
    'tidings publish ./site --site https://docs.example/ --previous https://docs.example/',
    'tidings publish https://docs.example/ --out ./feeds',
  ].join('\n'),

  configure(command) {
    command
      .argument('<dir|url>', 'the folder with the built HTML, or a live site')
      .addOption(
        new Option('--site <url>', 'public base URL of the site (default for a live site: its own URL)').env(
          'TIDINGS_SITE',
        ),
      )
      .addOption(
        new Option('--out <dir>', 'write the feeds here instead of into <dir>, required for a live site').env(
          'TIDINGS_OUT',
        ),
      )
      .addOption(
        new Option('--log-key <file>', 'sign the provable log of the site with this key').env('TIDINGS_LOG_KEY_FILE'),
      )
      .addOption(
        new Option(
          '--witness <vkey@url>',
          'have the checkpoint of the log cosigned by this witness (repeatable)',
        ).argParser(collect),
      )
      .option('--max-pages <count>', 'read at most this many pages of a live site (default: 10000)', wholeNumber(1))
      .option('--dry-run', 'show what would change, but write nothing')
      .option('--allow-deletes', 'continue even if many pages are gone or have the same text')
      .option('--force', 'accept a plain http or preview host as --site')
      .option('--markdown', 'print what changed as Markdown, for a pull request or a job summary')
      .option('--json', 'print the report as JSON');
    addCrawlOptions(addPublishOptions(command));
  },

  async run([target = ''], { json, markdown, ...options }, world) {
    const isLive = /^https?:/i.test(target);
    const site = options.site ?? (isLive ? target : undefined);
    if (site === undefined) {
      world.complain("error: required option '--site <url>' not specified");
      return ExitCode.BadUsage;
    }
    using status = showCrawlStatus(world, Date.now);
    let changes: Parameters<typeof changesMarkdown>[0] = [];
    const report = await publishSite({
      ...(await publishOptionsOf(options, world)),
      ...(isLive ? { url: target } : { dir: target }),
      // A folder is read without any request; --previous only needs permission to make some.
      ...(isLive ? crawlOptionsOf(options, world) : { allowPrivate: isPrivateAllowed(options.allowPrivate, world) }),
      ...logKeyOf(options, world),
      ...witnessesOf(options, world),
      onChanges: (told) => {
        changes = told;
      },
      onProgress: (done, total) => status.progress(done, total),
    });
    status[Symbol.dispose]();
    sayWhatFailed(report, isLive, world);
    const hint = rootHint(new URL(String(site)), report);
    if (hint !== undefined) world.complain(`tidings: ${hint}`);
    if (json) await world.print(JSON.stringify(report));
    else if (markdown) await world.print(changesMarkdown(changes, { heading: headingOf(options) }).trimEnd());
    else {
      for (const suggestion of report.suggestions ?? []) world.complain(`tidings: ${suggestion}`);
      await printReport(report, options.dryRun === true, world);
    }
    return report.failed.length > 0 ? ExitCode.Incomplete : ExitCode.Done;
  },
};

/** Witnesses of the option replace those of the settings. */
function witnessesOf({ witness }: Options, { settings }: World): Pick<PublishOptions, 'witnesses'> {
  if (Array.isArray(witness)) return { witnesses: witness.map(String) };
  return settings?.witnesses === undefined ? {} : { witnesses: settings.witnesses };
}

/** TIDINGS_LOG_KEY holds the content of the file: build machines keep secrets as variables. */
function logKeyOf({ logKey }: Options, { env }: World): Pick<PublishOptions, 'logKey' | 'logKeyText'> {
  if (typeof logKey === 'string') return { logKey };
  return env.TIDINGS_LOG_KEY ? { logKeyText: env.TIDINGS_LOG_KEY } : {};
}

function headingOf({ dryRun }: Options): string {
  return dryRun ? 'What readers would see as changed' : 'What readers see as changed';
}

const SHOWN = 20;

function sayWhatFailed({ failed, skipped = [] }: PublishReport, isLive: boolean, world: World): void {
  if (!isLive) {
    for (const { file, message } of failed) world.complain(`${file}: ${message} Its page stays as it was.`);
    return;
  }
  for (const { file, message } of failed.slice(0, SHOWN)) {
    world.complain(message.includes(file) ? message : `${file}: ${message}`);
  }
  if (failed.length > SHOWN) world.complain(`… and ${failed.length - SHOWN} more (--json names them all).`);
  if (failed.length > 0) world.complain('tidings: what could not be read stays as it was.');
  if (skipped.length > 0) {
    world.complain(`tidings: ${skipped.length} addresses are no pages of the site (--json names them).`);
  }
}

async function printReport(report: PublishReport, dryRun: boolean, world: World): Promise<void> {
  await printChanges(report.changes, world);
  await world.print(reportLine(report));
  if (report.frame !== undefined) await world.print(frameLine(report.frame));
  if (report.unmatched !== undefined) await world.print(unmatchedLine(report.unmatched));
  if (dryRun) await world.print('Dry run: nothing was written.');
}
