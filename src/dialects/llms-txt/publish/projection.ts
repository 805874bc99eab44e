import { ForeignFileError } from '../../../errors/foreign-file-error.ts';
import { NO_RULES } from '../../../extract/rules/reading-rules.ts';
import { readIfThere } from '../../../log/read-if-there.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { NearPlace } from '../../../model/folder.ts';
import {
  type GrownSite,
  type LoadOptions,
  NOT_WRITTEN,
  NOTHING,
  type Projected,
  type Projection,
} from '../../projection.ts';
import { headerRules, linkSuggestion, MARKDOWN, PLAIN } from './header-rules.ts';
import { type MadeTwin, madeTwin, readTwin } from './made-twin.ts';
import { isOwnList, LIST_PATH, pageList } from './page-list.ts';
import { isTwinOf, twinPath } from './twin.ts';
import { decodeTwins, encodeTwins, type KnownTwin, TWINS_FILE } from './twin-memory.ts';

const MOVE_IT = 'Move it to another name, or leave llms-txt out of --formats to keep it as it is.';

/** The pages of a site as llms.txt proposes: a list of them, and a Markdown twin of each. */
export const LLMS_TXT_PROJECTION: Projection = {
  async load({ dir, out, state }, { pages }, options) {
    if (options.dryRun) return NOT_WRITTEN;
    const { site } = options;
    const known = decodeTwins(await state.read(TWINS_FILE));
    const places = dir === undefined ? [out] : [out, dir];
    const refuseForeign = async (path: string, isOurs: (bytes: Uint8Array) => boolean) => {
      for (const place of places) {
        const bytes = await readIfThere(place, path);
        // An empty file is a loss to nobody.
        if (bytes?.length && !isOurs(bytes)) throw new ForeignFileError(`${place.name}/${path}`, MOVE_IT);
      }
    };
    const refuseForeignTwin = async (url: string) => {
      const path = twinPath(url, site);
      if (path !== undefined) await refuseForeign(path, (bytes) => isTwinOf(url, bytes));
    };
    await refuseForeign(LIST_PATH, isOwnList);
    for (const url of pages.keys()) {
      if (!isThere(known.get(url), twinPath(url, site), out)) await refuseForeignTwin(url);
    }
    const read = new Map<string, MadeTwin>();
    return {
      async onPage({ page, record }) {
        await refuseForeignTwin(page.url);
        read.set(page.url, madeTwin(page, record.file));
      },
      project: (grown) => projectPages(grown, { known, read }, options),
    };
  },
};

interface Twins {
  readonly known: ReadonlyMap<string, KnownTwin>;
  /** Of the pages that this publish parsed. */
  readonly read: ReadonlyMap<string, MadeTwin>;
}

async function projectPages(grown: GrownSite, { known, read }: Twins, options: LoadOptions): Promise<Projected> {
  const { site, excerpts = true } = options;
  const { extractor } = grown.rules ?? NO_RULES;
  const twins: KnownTwin[] = [];
  const files: Artifact[] = [];
  for (const record of grown.pages.values()) {
    const { url } = record;
    const path = twinPath(url, site);
    const before = known.get(url);
    const isAsBefore = before?.file === record.file && before.extractor === extractor;
    const isKept = isAsBefore && isThere(before, path, grown.out);
    const made = isKept ? undefined : (read.get(url) ?? (await readTwin(record, grown)));
    const twin = made ?? before ?? { url, file: '', title: '', excerpt: '' };
    const bytes =
      path === undefined ? 0 : (made?.text.length ?? (isThere(before, path, grown.out) ? before?.bytes : 0));
    twins.push({ ...twin, bytes: bytes ?? 0, excerpt: excerpts ? twin.excerpt : '' });
    if (made !== undefined && path !== undefined) files.push({ path, ...MARKDOWN, bytes: made.text });
  }
  if (twins.length === 0) return NOTHING;
  files.push({ path: LIST_PATH, ...PLAIN, bytes: Buffer.from(pageList(twins, options)) });
  const paths = twins.flatMap(({ url, bytes }) => (bytes > 0 ? (twinPath(url, site) ?? []) : []));
  return {
    files,
    rules: headerRules(twins, site),
    paths: [...paths, LIST_PATH],
    memory: [{ path: TWINS_FILE, bytes: encodeTwins(twins.map(slim), extractor) }],
    stale: await staleTwins(grown, known, site),
    ...(known.size === 0 && { suggestions: [linkSuggestion(site)] }),
  };
}

/** Whether the folder has the twin that is remembered. */
function isThere(twin: KnownTwin | undefined, path: string | undefined, out: NearPlace): boolean {
  return twin !== undefined && twin.bytes > 0 && path !== undefined && out.sizeOf(path) === twin.bytes;
}

/** Twins of pages that the site no longer has, by the log and by what is remembered. */
async function staleTwins(
  { changes, pages, out }: GrownSite,
  known: Twins['known'],
  site: URL,
): Promise<readonly string[]> {
  const gone = new Set(known.keys());
  for (const { kind, action, anchor, url } of changes) {
    if (kind === 'page' && action === 'delete' && anchor === undefined) gone.add(url);
  }
  const stale: string[] = [];
  for (const url of gone) {
    const path = pages.has(url) ? undefined : twinPath(url, site);
    if (path === undefined || out.sizeOf(path) === undefined) continue;
    if (isTwinOf(url, (await out.read(path)) ?? new Uint8Array())) stale.push(path);
  }
  return stale;
}

function slim({ url, file, bytes, title, excerpt }: KnownTwin): KnownTwin {
  return { url, file, bytes, title, excerpt };
}
