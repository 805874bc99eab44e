import { FOUND_LATE, ForeignFileError } from '../../../errors/foreign-file-error.ts';
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
import { LIST_LIMITS, listFiles } from './list-files.ts';
import { isListPath, isOwnList, LIST_PATH } from './list-text.ts';
import { type MadeTwin, madeTwin, readTwin } from './made-twin.ts';
import { isTwinOf, twinPath } from './twin.ts';
import { readTwinMemory, type TwinMemory, twinMemoryFiles } from './twin-files.ts';
import type { KnownTwin } from './twin-memory.ts';

const MOVE_IT = 'Move it to another name, or leave llms-txt out of --formats to keep it as it is.';

/** The pages of a site as llms.txt proposes: a list of them, and a Markdown twin of each. */
export const LLMS_TXT_PROJECTION: Projection = {
  async load({ dir, out, state }, { pages }, options) {
    if (options.dryRun) return NOT_WRITTEN;
    const { site } = options;
    const memory = await readTwinMemory(state);
    const known = memory.twins;
    const places = dir === undefined ? [out] : [out, dir];
    const refuseForeign = async (path: string, isOurs: (bytes: Uint8Array) => boolean, what?: string) => {
      for (const place of places) {
        const bytes = await readIfThere(place, path);
        // Empty files are ignored.
        if (bytes?.length && !isOurs(bytes)) throw new ForeignFileError(`${place.name}/${path}`, MOVE_IT, what);
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
      async project(grown) {
        const projected = await projectPages(grown, { memory, read }, options);
        for (const { path } of projected.files) {
          // A list that this site had before is known to be ours.
          if (isListPath(path) && path !== LIST_PATH && !memory.lists.includes(path))
            await refuseForeign(path, isOwnList, FOUND_LATE);
        }
        return projected;
      },
    };
  },
};

interface Twins {
  readonly memory: TwinMemory;
  /** The twins of the pages that this publish parsed. */
  readonly read: ReadonlyMap<string, MadeTwin>;
}

/** The memory of the twins stays in one file up to this many times the bytes of a list. */
const MEMORY_SHARE = 8;

async function projectPages(grown: GrownSite, { memory, read }: Twins, options: LoadOptions): Promise<Projected> {
  const { site, excerpts = true, llmsBytes = LIST_LIMITS.bytes } = options;
  const known = memory.twins;
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
  const lists = listFiles(twins, options, { ...LIST_LIMITS, bytes: llmsBytes });
  for (const { path, text } of lists) files.push({ path, ...PLAIN, bytes: Buffer.from(text) });
  const listPaths = lists.map(({ path }) => path);
  const limits = { extractor, maxBytes: MEMORY_SHARE * llmsBytes, isParted: memory.isParted };
  const paths = twins.flatMap(({ url, bytes }) => (bytes > 0 ? (twinPath(url, site) ?? []) : []));
  return {
    files,
    rules: headerRules(twins, listPaths, site),
    paths: [...paths, ...listPaths],
    memory: twinMemoryFiles(twins, listPaths, limits),
    stale: [...(await staleTwins(grown, known, site)), ...(await staleLists(grown, memory.lists, listPaths))],
    ...(known.size === 0 && { suggestions: [linkSuggestion(site)] }),
  };
}

/** Whether the folder has the remembered twin. */
function isThere(twin: KnownTwin | undefined, path: string | undefined, out: NearPlace): boolean {
  return twin !== undefined && twin.bytes > 0 && path !== undefined && out.sizeOf(path) === twin.bytes;
}

/** Twins of pages that the site no longer has, according to the log and the memory. */
async function staleTwins(
  { changes, pages, out }: GrownSite,
  known: TwinMemory['twins'],
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

/** Lists of folders that no longer have one. */
async function staleLists(
  { out }: GrownSite,
  before: readonly string[],
  now: readonly string[],
): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const path of before) {
    if (now.includes(path) || !isListPath(path)) continue;
    if (isOwnList((await out.read(path)) ?? new Uint8Array())) stale.push(path);
  }
  return stale;
}
