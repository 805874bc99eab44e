import { logOrigin } from '../../../codecs/tlog/log-origin.ts';
import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import type { Change } from '../../../model/change.ts';
import { EMPTY_EDGE, growTree } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import {
  type GrownSite,
  type LoadedProjection,
  NOT_WRITTEN,
  NOTHING,
  type Projection,
  type ProjectionOptions,
  type ProjectionPlaces,
} from '../../projection.ts';
import type { LogSigner } from '../../projection-settings.ts';
import { chainLines, NO_LINES } from './chain-lines.ts';
import { knownEntries, type LoadedLog, loadLog } from './load-log.ts';
import { findCopies, type LogCopies, prefixOf } from './log-copies.ts';
import { CHECKPOINT, VKEY } from './log-paths.ts';
import { firstEntry, newEntries } from './new-entries.ts';
import { copyLog, projectLog } from './project-log.ts';
import { readAllEntries } from './read-bundles.ts';
import type { TreeFile } from './tree-file.ts';

/**
 * The changes of a site as a log that anybody can verify: nothing is left out of it or rewritten. Without a key the log stays
 * unchanged.
 */
export const TLOG_PROJECTION: Projection = {
  async load(places, { changes }, options) {
    const { isChosen, dryRun, logSigner } = options;
    if (options.isPreview) return NOT_WRITTEN;
    const copies = await findCopies(places, isChosen ? logSigner?.publicKey : undefined);
    const isBegun = Object.keys(copies).length > 0;
    if (!isChosen || dryRun) return isBegun ? asItIs(copies, places) : NOT_WRITTEN;
    if (logSigner === undefined) {
      if (isBegun) throw keyMissing(copies, options);
      return changes.length === 0 ? SUGGESTED : NOT_WRITTEN;
    }
    const loaded = await loadLog(copies, changes);
    if (loaded !== undefined) ensureKey(loaded.tree, logSigner);
    return { saltsTexts: true, project: async (site) => grow({ loaded, before: changes, options, logSigner }, site) };
  },
};

interface Growing {
  /** Undefined if the log begins now. */
  readonly loaded: LoadedLog | undefined;
  /** log.ndjson before this publish, with all texts. */
  readonly before: readonly Change[];
  readonly options: ProjectionOptions;
  readonly logSigner: LogSigner;
}

function grow({ loaded, before, options, logSigner }: Growing, site: GrownSite) {
  // The published changes may lack texts that log.ndjson has. The log must have their hashes.
  const changes = [...before, ...site.changes.slice(before.length)];
  const begun = loaded?.tree ?? beginning(before, options.site, logSigner);
  const first = loaded === undefined ? [firstEntry(begun.origin, before, site.nowMs)] : [];
  const added = changes.slice(begun.changes);
  const { id: last, seq: lastSeq = 0 } = changes.at(-1) ?? {};
  const { entries, files } = newEntries(added, { ...site, site: options.site, lastSeq, known: begun.files });
  const tree = {
    ...begun,
    changes: changes.length,
    ...(last !== undefined && { last }),
    chain: chainLines(begun.chain, added),
    files,
  };
  const { servedSize = 0, whole } = loaded ?? {};
  return projectLog({ tree, entries: [...first, ...entries], servedSize, whole }, logSigner);
}

function beginning(before: readonly Change[], site: URL, { publicKey }: LogSigner): TreeFile {
  const chain = chainLines(NO_LINES, before);
  return {
    origin: logOrigin(site),
    publicKey,
    edge: EMPTY_EDGE,
    filled: [],
    changes: before.length,
    chain,
    partials: [],
    files: new Map(),
  };
}

/** Keeps a log that is not extended now. A copy of the site without it would look as if the log had been withdrawn. */
function asItIs({ out, previous }: LogCopies, places: ProjectionPlaces): LoadedProjection {
  const isHere = out !== undefined || previous === undefined;
  return {
    saltsTexts: true,
    isCarried: !isHere,
    async project() {
      if (isHere) return NOTHING;
      const { place, head, tree, note } = previous;
      const entries = await readAllEntries(place, head.treeSize, knownEntries(tree));
      const vkey = places.previous && (await prefixOf(places.previous).read(VKEY));
      const copied = [
        ...(vkey === undefined ? [] : [{ path: VKEY, bytes: vkey }]),
        ...(note === undefined ? [] : [{ path: CHECKPOINT, bytes: note }]),
      ];
      return copyLog(growTree(EMPTY_EDGE, entries, sha256), copied, tree?.partials ?? []);
    },
  };
}

function ensureKey({ publicKey, origin }: TreeFile, signer: LogSigner): void {
  if (publicKey.length === 0 || Buffer.compare(publicKey, signer.publicKey) === 0) return;
  throw new SettingRefusedError(
    '--log-key',
    '(another key)',
    `The log ${origin} was begun with another key, and goes on under no other. Give that one.`,
  );
}

function keyMissing({ state, out, previous }: LogCopies, { site }: ProjectionOptions): SettingRefusedError {
  const { name = site.href } = out ?? previous ?? state ?? {};
  return new SettingRefusedError(
    '--log-key',
    '(not given)',
    `This site has a provable log (${name}), which goes on with its key alone. Give its key file, or the text of it as TIDINGS_LOG_KEY; to publish without adding to the log, name the other formats with --formats.`,
  );
}

/** A suggestion for the author, made once. */
const SUGGESTED: LoadedProjection = {
  project: async () => ({
    ...NOTHING,
    suggestions: [
      'You may let anybody check that nothing is left out or rewritten: make a key with "tidings keys new --log --key log-key.json" and give it with --log-key.',
    ],
  }),
};
