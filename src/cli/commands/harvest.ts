import { Option } from 'commander';
import { oneLine } from '../../codecs/primitives/one-line.ts';
import { type HarvestOptions, type HarvestReport, harvest as harvestFeeds } from '../../doors/harvest.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { ExitCode } from '../exit-code.ts';
import { wholeNumber } from '../option-values.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

type Flags = Pick<HarvestOptions, 'state' | 'description' | 'collection' | 'fromNow' | 'base' | 'maxListed' | 'titles'>;

export const harvestVerb: Verb = {
  example: [
    'tidings harvest https://example.com/ --out feeds/',
    'tidings harvest https://example.com/ --out feeds/ --state harvest.db --base https://feeds.example/',
  ].join('\n'),

  configure(command) {
    command
      .argument('<site>', 'the site to read')
      .requiredOption('--out <dir>', 'write site.atom and <collection>.atom here')
      .addOption(
        new Option('--state <file>', 'remember here what was seen (default: .harvest.db in --out)').env(
          'TIDINGS_STATE',
        ),
      )
      .option('--description <url>', 'URL of the Source Description, if not /.well-known/resourcesync')
      .option('--collection <url>', 'read only this collection (the URL that it describes)')
      .option('--from-now', 'report only future changes of new collections')
      .option('--base <url>', 'where the feeds will be served')
      .option('--max-listed <count>', 'list at most this many pages in an entry (default: 100)', wholeNumber(1))
      .option('--titles <count>', 'fetch the titles of at most this many changed pages (default: 0)', wholeNumber(0))
      .option('--json', 'print the report as JSON');
    addCrawlOptions(command);
  },

  async run([site = ''], { out, json, ...options }, world) {
    const flags = options as Flags;
    const report = await harvestFeeds({
      ...crawlOptionsOf(options, world),
      ...(flags.state !== undefined && { state: flags.state }),
      ...(flags.description !== undefined && { description: flags.description }),
      ...(flags.collection !== undefined && { collection: flags.collection }),
      ...(flags.fromNow !== undefined && { fromNow: flags.fromNow }),
      ...(flags.base !== undefined && { base: flags.base }),
      ...(flags.maxListed !== undefined && { maxListed: flags.maxListed }),
      ...(flags.titles !== undefined && { titles: flags.titles }),
      site,
      out: String(out),
      signal: world.signal,
      onStatus: (line) => world.status(oneLine(line)),
    });
    world.status('');
    const { collections, errors, notes } = report;
    if (json) await world.print(JSON.stringify({ collections, errors, notes }));
    else await printReport(report, world);
    for (const { message } of errors) world.complain(`tidings: ${oneLine(message)}`);
    return report.isComplete ? ExitCode.Done : ExitCode.Incomplete;
  },
};

async function printReport({ collections, notes: ofSite }: HarvestReport, world: World): Promise<void> {
  for (const note of ofSite) world.complain(`tidings: ${oneLine(note)}`);
  for (const { describes, changes, feed, notes } of collections) {
    const told = changes === 0 ? 'nothing new' : `${changes} ${changes === 1 ? 'change' : 'changes'} → ${feed}`;
    await world.print(`${oneLine(describes)}: ${told}`);
    for (const note of notes) world.complain(`tidings: ${oneLine(note)}`);
  }
}
