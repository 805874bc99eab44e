import { dirname, resolve } from 'node:path';
import { Option } from 'commander';
import { feedDialectOf } from '../../doors/feed-dialects.ts';
import type { SourceConfig } from '../../doors/settings.ts';
import { isAddress, placeText, planImport, type WebKind } from '../../doors/source-guess.ts';
import type { ImportFormat, SkippedSource } from '../../doors/source-lists.ts';
import { importRefusedError } from '../../errors/refusals.ts';
import type { TidingsError } from '../../errors/tidings-error.ts';
import { ExitCode } from '../exit-code.ts';
import { addPlaceOptions, httpOptionsOf, openPlace, startWork } from '../source-options.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

const FORMATS: readonly ImportFormat[] = ['urls', 'opml', 'sitemap', 'json'];
const SHOWN = 20;

export const sourceImport: Verb = {
  example: [
    'tidings source import sites.txt --dry-run',
    'tidings source import subscriptions.opml --skip-existing',
    'tidings source import https://docs.example/sitemap.xml --kind page',
    'tidings source import sites.txt --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command
      .argument('<file|url>', 'the list (- for standard input)')
      .addOption(
        new Option('--format <format>', 'format of the list (default: detected from its content)').choices(FORMATS),
      )
      .addOption(
        new Option('--kind <kind>', 'kind of the URLs (default: detected for each, for a sitemap the site)').choices([
          'auto',
          'page',
          'site',
          'feed',
        ]),
      )
      .option('--skip-existing', 'skip sources that are already watched')
      .option('--dry-run', 'show what would be added, but add nothing')
      .option('--json', 'print the report as JSON');
    addPlaceOptions(command);
  },

  async run([from = ''], options, world) {
    const work = startWork(options, world);
    const file = from === '-' ? 'standard input' : from;
    // Loaded when they are needed, or every verb would pay for them.
    const { readSourceList } = await import('../../doors/read-source-list.ts');
    const { readImport } = await import('../../doors/source-lists.ts');
    const bytes = await readSourceList(from, { ...httpOptionsOf(work.config), signal: world.signal });
    const { format, kind } = options as { format?: ImportFormat; kind?: WebKind };
    const reading = readImport(bytes, {
      file,
      dialectOf: feedDialectOf,
      ...(format && { format }),
      ...(kind && { kind }),
    });
    const base = from === '-' || isAddress(from) ? resolve() : dirname(resolve(from));

    await using place = await openPlace(work, options.dryRun ? 'read' : 'write');
    const decode = (source: unknown, where: string) => work.decode(source, { at: `${file} ${where}: `, base });
    const plan = planImport(reading, {
      watched: (await place.list()).map(({ config }) => config),
      decode,
      dialectOf: feedDialectOf,
    });
    if (plan.existing.length > 0 && !options.skipExisting) throw watchedAlready(file, plan.existing);
    world.status(`adding ${plan.added.length} sources`);
    if (!options.dryRun && plan.added.length > 0) await place.add(plan.added);
    world.status('');

    const skipped = [...plan.skipped, ...plan.existing];
    if (options.json) {
      await world.print(JSON.stringify({ added: plan.added, skipped, dryRun: options.dryRun === true }));
    } else await printReport(plan.added, skipped, options.dryRun === true, world);
    return ExitCode.Done;
  },
};

function watchedAlready(file: string, existing: readonly SkippedSource[]): TidingsError {
  const named = existing.slice(0, 3).map(({ what, reason }) => `${what} (${reason})`);
  const more = existing.length > named.length ? ` and ${existing.length - named.length} more` : '';
  return importRefusedError(file, `${named.join(', ')}${more}. Say --skip-existing to add the rest.`);
}

async function printReport(
  added: readonly SourceConfig[],
  skipped: readonly SkippedSource[],
  isDry: boolean,
  world: World,
): Promise<void> {
  for (const source of added.slice(0, SHOWN)) await world.print(`${source.id}: ${source.kind} ${placeText(source)}`);
  if (added.length > SHOWN) await world.print(`… and ${added.length - SHOWN} more; --json names them all`);
  for (const { what, reason } of skipped.slice(0, SHOWN)) world.complain(`tidings: skipped ${what}: ${reason}.`);
  if (skipped.length > SHOWN) world.complain(`tidings: … and ${skipped.length - SHOWN} more (--json names them all).`);
  await world.print(`${added.length} added, ${skipped.length} skipped`);
  if (isDry) await world.print('Dry run: nothing was added.');
}
