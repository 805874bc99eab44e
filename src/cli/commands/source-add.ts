import { existsSync, statSync } from 'node:fs';
import { Option } from 'commander';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { feedDialectOf } from '../../doors/feed-dialects.ts';
import {
  dialectOfUrl,
  isAddress,
  kindOfUrl,
  looksLikeSitemap,
  placeText,
  planImport,
} from '../../doors/source-guess.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { ExitCode } from '../exit-code.ts';
import { collect, wholeNumber } from '../option-values.ts';
import { addRuleOptions } from '../rule-options.ts';
import { addPlaceOptions, openPlace, startWork } from '../source-options.ts';
import type { Options, Verb } from '../verb.ts';

const KINDS = ['auto', 'site', 'page', 'feed', 'folder'];
/** Until it has its own. */
const NO_ID = 'x';

export const sourceAdd: Verb = {
  example: [
    'tidings source add https://docs.example/ --interval 300',
    'tidings source add ./site --site https://docs.example/',
    'tidings source add https://hub.example/ --kind feed --hub http://127.0.0.1:8080/',
    'tidings source add https://docs.example/ --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command
      .argument('<url|dir>', 'the URL or folder to watch')
      .option('--id <id>', 'name of the source in URLs and feeds (default: from its host)')
      .addOption(
        new Option(
          '--kind <kind>',
          'kind of source (default: detected, with auto for a site, which uses the best way that the site offers)',
        ).choices(KINDS),
      )
      .option('--dialect <name>', 'format of a feed (default: from its URL, else aicf)')
      .option('--sitemap <url>', 'for a site: only the pages in this sitemap')
      .option('--site <url>', 'for a folder: public URL of the site')
      .option('--interval <seconds>', 'time between checks (default: adaptive)', wholeNumber(1))
      .addOption(new Option('--fallback <url>', 'a mirror to use if the source fails (repeatable)').argParser(collect))
      .addOption(
        new Option('--include <pattern>', 'only paths that match this pattern (repeatable)').argParser(collect),
      )
      .addOption(
        new Option('--exclude <pattern>', 'skip paths that match this pattern (repeatable)').argParser(collect),
      )
      .option('--audit', 'verify the source against its provable log at each check, and stop it if it is proven wrong')
      .option('--title <text>', 'title of the source, for people')
      .option('--clean-urls', 'for a folder: the host serves x.html as /x')
      .option('--json', 'print the source as JSON');
    addPlaceOptions(addRuleOptions(command));
  },

  async run([target = ''], options, world) {
    const work = startWork(options, world);
    const described = describe(target, options);
    // What is wrong with it is said before anything is opened.
    const checked = work.decode({ id: NO_ID, ...described });
    await using place = await openPlace(work, 'write');
    const watched = (await place.list()).map(({ config }) => config);
    const reading = { found: [{ where: '', source: described }], skipped: [] };
    const plan = planImport(reading, { watched, decode: (source) => work.decode(source), dialectOf: feedDialectOf });
    // Who names an id wants that one, whatever else is watched.
    const source = options.id === undefined ? plan.added[0] : checked;
    if (source === undefined) {
      const [known] = plan.existing;
      world.complain(`tidings: ${known?.what} is ${known?.reason}. To watch it a second time, give it an --id.`);
      return ExitCode.Incomplete;
    }
    await place.add([source]);
    if (options.json) await world.print(JSON.stringify(source));
    else {
      const when = place.isRunning ? 'It is read now.' : 'It is read when the hub starts.';
      await world.print(`${source.id}: ${source.kind} ${placeText(source)} is watched. ${when}`);
    }
    return ExitCode.Done;
  },
};

/** What the options say, as a config would. */
export function describe(target: string, options: Options): Readonly<Record<string, unknown>> {
  const { id, site, interval, fallback, include, exclude, ignore, only, title, cleanUrls, audit } = options;
  const kind = typeof options.kind === 'string' ? options.kind : guessKind(target, options);
  const dialect = options.dialect ?? (kind === 'feed' ? guessDialect(target) : undefined);
  if (kind === 'folder' && isAddress(target)) {
    throw new SettingRefusedError('--kind', kind, 'A folder is named by its path; a URL is a site, a page or a feed.');
  }
  return {
    ...(id !== undefined && { id }),
    kind,
    ...(kind === 'folder' ? { path: target, ...(site !== undefined && { site }) } : placeOf(target, kind, options)),
    ...(dialect !== undefined && { dialect }),
    ...(interval !== undefined && { intervalSeconds: interval }),
    ...(fallback !== undefined && { fallbacks: fallback }),
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(ignore !== undefined && { ignore }),
    ...(only !== undefined && { only }),
    ...(title !== undefined && { title }),
    ...(cleanUrls !== undefined && { cleanUrls }),
    ...(audit !== undefined && { audit }),
  };
}

/** A sitemap means the pages of its site that it names. */
function placeOf(target: string, kind: string, { sitemap }: Options): Readonly<Record<string, unknown>> {
  if (sitemap !== undefined) return { url: target, sitemap };
  const isSitemap = kind === 'site' && looksLikeSitemapText(target);
  return isSitemap ? { url: new URL('/', target).href, sitemap: target } : { url: target };
}

function guessKind(target: string, { dialect, sitemap, fallback }: Options): string {
  // Only feeds have one.
  if (dialect !== undefined && isAddress(target)) return 'feed';
  if (isAddress(target)) {
    const kind = canParseUrl(target) ? kindOfUrl(new URL(target)) : 'site';
    // A site is followed by the best way that it offers, unless its pages are what is asked for.
    const isAny = kind === 'site' && !looksLikeSitemapText(target) && sitemap === undefined && fallback === undefined;
    return isAny ? 'auto' : kind;
  }
  if (existsSync(target) && statSync(target).isDirectory()) return 'folder';
  throw new SettingRefusedError('source', JSON.stringify(target), 'It is no URL, and no folder of that name is here.');
}

function looksLikeSitemapText(target: string): boolean {
  return canParseUrl(target) && looksLikeSitemap(new URL(target));
}

function guessDialect(target: string): string | undefined {
  return canParseUrl(target) ? dialectOfUrl(new URL(target)) : undefined;
}
