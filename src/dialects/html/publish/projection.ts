import { isOwnPage } from '../../../extract/own-page.ts';
import { readIfThere } from '../../../log/read-if-there.ts';
import { runsOf } from '../../../log/runs-of.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { NearPlace, Place } from '../../../model/folder.ts';
import {
  type GrownSite,
  type LoadedProjection,
  type LoadOptions,
  NOT_WRITTEN,
  NOTHING,
  type Projected,
  type Projection,
} from '../../projection.ts';
import { layOutRuns, type RunPages } from './lay-out.ts';
import { type ChangesLook, changesPage, changesPagePath, lookDigest } from './page-html.ts';
import { decodePageMemory, encodePageMemory, type PageMemory } from './page-memory.ts';
import { redactChangesPages } from './redact-pages.ts';

const ATOM = 'application/atom+xml';

/** The log as pages for people: the newest changes at `/changes/`, older ones on numbered pages. */
export const HTML_PROJECTION: Projection = {
  redact: redactChangesPages,

  async load({ dir, out }, _published, options): Promise<LoadedProjection> {
    if (!options.isChosen || options.dryRun) return NOT_WRITTEN;
    const places = dir === undefined ? [out] : [out, dir];
    if (options.changesPage === false) return { project: async () => ({ ...NOTHING, stale: await ownPages(out) }) };
    const foreign = await foreignFile(places, changesPagePath());
    if (foreign !== undefined) return { project: async () => ({ ...NOTHING, suggestions: [foreignWords(foreign)] }) };
    return {
      about: new URL('changes/', options.site).href,
      project: (site) => projectPages(site, places, options),
    };
  },
};

async function projectPages(site: GrownSite, places: readonly Place[], options: LoadOptions): Promise<Projected> {
  const { out, changes, assetText = () => '' } = site;
  if (changes.length === 0) return NOTHING;
  const look: ChangesLook = {
    site: options.site,
    title: options.title,
    excerpts: options.excerpts ?? true,
    feed: site.files.findLast(({ mediaType }) => mediaType === ATOM)?.path,
    style: assetText('changes-style.css'),
    script: assetText('changes.js'),
  };
  const laid = await withoutForeign(layOutRuns(runsOf(changes)), places);
  const known = decodePageMemory(await out.read(changesPagePath()));
  const made = lookDigest(look);
  const sizes = new Map<number, number>();
  const files: Artifact[] = [];
  for (const [at, { page, runs }] of laid.older.entries()) {
    const kept = keptSize(page, { known, made, out });
    if (kept !== undefined) {
      sizes.set(page, kept);
      continue;
    }
    const olderPage = laid.older[at - 1]?.page;
    const memory = encodePageMemory({ made, excerpts: look.excerpts, sizes: new Map() });
    const file = artifact(page, changesPage(look, { runs, olderPage, isOlder: true, left: laid.left, memory }));
    sizes.set(page, file.bytes.length);
    files.push(file);
  }
  const memory = encodePageMemory({ made, excerpts: look.excerpts, sizes });
  const olderPage = laid.older.at(-1)?.page;
  const newest = changesPage(look, { runs: laid.newest, olderPage, isOlder: false, left: laid.left, memory });
  files.push(artifact(undefined, newest));
  const paths = [...laid.older.map(({ page }) => changesPagePath(page)), changesPagePath()];
  const stale = (await ownPages(out)).filter((path) => !paths.includes(path));
  return { files, paths, rules: [RULE], ...(stale.length > 0 && { stale }) };
}

/** Only for this path, because an author may have files below it. */
const RULE = { path: 'changes/', cacheControl: 'no-cache' };

function artifact(page: number | undefined, text: string): Artifact {
  const mediaType = 'text/html; charset=utf-8';
  return { path: changesPagePath(page), mediaType, cacheControl: RULE.cacheControl, bytes: Buffer.from(text) };
}

/** A page of older changes with the size that the newest page states is the one that would be made. */
function keptSize(
  page: number,
  { known, made, out }: { readonly known: PageMemory | undefined; readonly made: string; readonly out: NearPlace },
): number | undefined {
  const size = known?.made === made ? known.sizes.get(page) : undefined;
  return size !== undefined && out.sizeOf(changesPagePath(page)) === size ? size : undefined;
}

/** If an author has a file with the name of such a page, older changes are on no page. */
async function withoutForeign(laid: RunPages, places: readonly Place[]): Promise<RunPages> {
  for (const { page } of laid.older) {
    if ((await foreignFile(places, changesPagePath(page))) === undefined) continue;
    return { newest: laid.newest, older: [], left: laid.newest[0]?.number ?? 0 };
  }
  return laid;
}

/** The path of an author's file at that place. Empty files are ignored. */
async function foreignFile(places: readonly Place[], path: string): Promise<string | undefined> {
  for (const place of places) {
    const bytes = await readIfThere(place, path);
    if (bytes?.length && !isOwnPage(bytes)) return `${place.name}/${path}`;
  }
  return undefined;
}

function foreignWords(file: string): string {
  return `${file} is a page of the site and stays as it is, so there is no page of changes for people. Move it to get one, or say --no-changes-page.`;
}

/** The pages that a publish wrote, according to its newest page. */
async function ownPages(out: NearPlace): Promise<readonly string[]> {
  const newest = await out.read(changesPagePath());
  if (newest === undefined || !isOwnPage(newest)) return [];
  const older = [...(decodePageMemory(newest)?.sizes.keys() ?? [])].map(changesPagePath);
  const own: string[] = [];
  for (const path of older) {
    const bytes = await out.read(path);
    if (bytes !== undefined && isOwnPage(bytes)) own.push(path);
  }
  return [...own, changesPagePath()];
}
