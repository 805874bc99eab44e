import { Option } from 'commander';
import { DISCOVERY_PATH } from '../../codecs/aicf/wire.ts';
import { type PublishOptions, publish as publishSite } from '../../doors/publish.ts';
import type { PublishReport } from '../../produce/publish-report.ts';
import { ExitCode } from '../exit-code.ts';
import { allowPrivateOption, isPrivateAllowed, wholeNumber } from '../option-values.ts';
import { printChanges } from '../print-changes.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const publish: Verb = {
  name: 'publish',
  summary: 'Make my change feeds: compare the built site with what was published and write what changed.',
  example:
    'tidings publish ./site --site https://docs.example/\ntidings publish ./site --site https://docs.example/ --previous https://docs.example/',

  configure(command) {
    command
      .argument('<dir>', 'the folder with the built HTML')
      .addOption(
        new Option('--site <url>', 'the public base URL of the site').env('TIDINGS_SITE').makeOptionMandatory(),
      )
      .addOption(new Option('--out <dir>', 'write the feeds here instead of into <dir>').env('TIDINGS_OUT'))
      .addOption(
        new Option('--state <dir>', 'keep log.ndjson and pages.ndjson here instead of on the site').env(
          'TIDINGS_STATE',
        ),
      )
      .addOption(
        new Option('--previous <url|dir>', 'go on from what is published there: for CI without a cache').env(
          'TIDINGS_PREVIOUS',
        ),
      )
      .option('--dry-run', 'say what would change and write nothing')
      .option('--allow-deletes', 'go on although many pages vanish')
      .option('--force', 'accept a plain http or preview host as --site')
      .option('--clean-urls', 'the host serves x.html as /x')
      .option('--rotate-bytes <bytes>', 'start a new feed file at this size', wholeNumber(1))
      .option('--ttl <seconds>', 'how long followers may take the feed as fresh', wholeNumber(0))
      .option('--license <text>', 'the license of the events')
      .option('--about <url>', 'a page that describes the feed')
      .addOption(allowPrivateOption('let --previous be on a private address'))
      .addOption(new Option('--ca <file>', 'trust this certificate authority too').env('TIDINGS_CA'))
      .option('--json', 'print the report as JSON');
  },

  async run([dir = ''], { ttl, json, ...options }, world) {
    const report = await publishSite({
      ...(options as Omit<PublishOptions, 'dir'>),
      dir,
      allowPrivate: isPrivateAllowed(options.allowPrivate, world),
      ttlSeconds: ttl as number | undefined,
      signal: world.signal,
      onProgress: (done, total) => world.status(`reading pages: ${done} of ${total}`),
    });
    world.status('');
    for (const { file, message } of report.failed) world.complain(`${file}: ${message} Its page stays as it was.`);
    hintAtDiscovery(new URL(String(options.site)), world);
    if (json) await world.print(JSON.stringify(report));
    else await printReport(report, options.dryRun === true, world);
    return report.failed.length > 0 ? ExitCode.Incomplete : ExitCode.Done;
  },
};

/** Followers look at the root of the host (AICF-D1), where a site below a path cannot write. */
function hintAtDiscovery({ origin, pathname }: URL, world: World): void {
  if (/^\/+$/.test(pathname)) return;
  const wanted = origin + DISCOVERY_PATH;
  world.complain(`tidings: followers look for ${wanted}. Serve this site's ${DISCOVERY_PATH.slice(1)} there, too.`);
}

async function printReport(report: PublishReport, dryRun: boolean, world: World): Promise<void> {
  await printChanges(report.changes, world);
  const { pages, created, updated, deleted, unchanged } = report;
  await world.print(
    `${pages} ${pages === 1 ? 'page' : 'pages'}: ${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`,
  );
  if (dryRun) await world.print('Dry run: nothing was written.');
}
