import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import { FEED_DIALECTS } from '../../doors/feed-dialects.ts';
import { type HonestyReport, hasFindings, honesty } from '../../doors/honesty.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { addCrawlOptions, crawlOptionsOf } from '../crawl-options.ts';
import { addDataOptions } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { honestyText } from '../honesty-text.ts';
import { addHubAddressOption } from '../hub-client.ts';
import { wholeNumber } from '../option-values.ts';
import { openPlace, startWork } from '../source-options.ts';
import { stateFolder } from '../state-folder.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

const STATE_FILE = 'honesty.db';

export const honestyVerb: Verb = {
  example:
    'tidings honesty https://docs.example/ --state honesty.db\ntidings honesty https://docs.example/ --state honesty.db --json --fail-on findings\ntidings honesty docs --hub http://127.0.0.1:8080/',

  configure(command) {
    command
      .argument('<source|url>', 'a site with a feed, or a source of a hub, to show its last check')
      .addOption(new Option('--state <file>', 'keep the sample here until the next run').env('TIDINGS_STATE'))
      .addOption(new Option('--pages <count>', 'check this many pages (default: 20)').argParser(wholeNumber(1)))
      .addOption(new Option('--dialect <name>', 'look only for this format').choices(FEED_DIALECTS))
      .addOption(
        new Option(
          '--fail-on <what>',
          'exit with 1 if anything was reported but not seen, or seen but not reported',
        ).choices(['findings']),
      )
      .option('--json', 'print the report as JSON');
    addCrawlOptions(addDataOptions(addHubAddressOption(command)));
  },

  async run([target = ''], options, world) {
    const isUrl = /^https?:/i.test(target);
    const report = isUrl ? await readReport(target, options, world) : await lastReport(target, options, world);
    world.status('');
    if (options.json === true) await world.print(JSON.stringify(report));
    else for (const line of honestyText(report)) await world.print(line);
    return options.failOn !== undefined && hasFindings(report) ? ExitCode.Findings : ExitCode.Done;
  },
};

async function readReport(url: string, options: Options, world: World): Promise<HonestyReport> {
  const { state, pages, dialect } = options;
  return await honesty(url, {
    ...crawlOptionsOf(options, world),
    state: typeof state === 'string' ? state : await usualState(world),
    ...(typeof pages === 'number' && { pages }),
    ...(typeof dialect === 'string' && { dialect }),
    signal: world.signal,
    onStatus: (line) => world.status(line),
  });
}

/** On the first run, the folder does not exist yet. */
async function usualState({ env }: World): Promise<string> {
  const folder = stateFolder(env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, STATE_FILE);
}

/** What a hub found of a source. */
async function lastReport(id: string, options: Options, world: World): Promise<HonestyReport> {
  await using place = await openPlace(startWork(options, world), 'read');
  const source = (await place.list()).find((one) => one.id === id);
  if (source === undefined)
    throw new SettingRefusedError('source', id, 'Give a URL, or the id of a source: tidings source list.');
  const { honesty: last, config } = source;
  if (last === undefined) {
    throw new SettingRefusedError(
      'source',
      id,
      'No page of it was looked at yet. Feeds are, by a hub that runs, once a day.',
    );
  }
  const { at: _, ...counts } = last;
  return {
    ...counts,
    url: 'url' in config ? config.url : id,
    dialect: 'dialect' in config ? config.dialect : config.kind,
  };
}
