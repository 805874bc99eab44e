import { join } from 'node:path';
import { formatTime } from '../codecs/primitives/time.ts';
import { decodeEntry } from '../codecs/tlog/decode-entry.ts';
import { encodeEntry, redactedEntries } from '../codecs/tlog/encode-entry.ts';
import { LOG_PREFIX } from '../codecs/tlog/log-origin.ts';
import type { StateFile } from '../dialects/projection.ts';
import type { LogSigner } from '../dialects/projection-settings.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { chainLines, NO_LINES } from '../dialects/tlog/publish/chain-lines.ts';
import { knownEntries, loadLog } from '../dialects/tlog/publish/load-log.ts';
import { findCopies, prefixOf } from '../dialects/tlog/publish/log-copies.ts';
import { projectLog } from '../dialects/tlog/publish/project-log.ts';
import { readAllEntries } from '../dialects/tlog/publish/read-bundles.ts';
import type { TreeFile } from '../dialects/tlog/publish/tree-file.ts';
import { quotedFields, spellings, withoutSaltedTexts } from '../dialects/tlog/redact/redact-change.ts';
import { LogMissingError } from '../errors/log-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { lockStateFolder } from '../io/state/state-folder.ts';
import { encodeLogLines } from '../log/log-file.ts';
import { decodeLogParts, type LogPart, readLogParts } from '../log/log-parts.ts';
import type { Change } from '../model/change.ts';
import type { Folder, Place } from '../model/folder.ts';
import { PAGES_FILE } from '../produce/load-state.ts';
import { writeProjected } from '../produce/write-site.ts';
import { writeLog } from '../produce/write-state.ts';
import { fileDigest } from '../tlog/file-digest.ts';
import { sha256 } from '../tlog/sha256.ts';

export interface RedactOptions {
  /** The folder of log.ndjson, if it is not on the site itself. */
  readonly state?: string;
  readonly logSigner: LogSigner;
  readonly now?: () => number;
}

export interface RedactReport {
  readonly id: string;
  /** The fields whose texts and salts were removed. */
  readonly fields: readonly string[];
  /** Files that were rewritten without the texts. */
  readonly rewritten: readonly string[];
  /** Files that still contain a text and must not be rewritten. */
  readonly kept: readonly string[];
  /** The number of entries in the log now. */
  readonly size: number;
}

/**
 * Removes the texts of a change from the log of a published folder and from all of its files that may be rewritten, and records this in the provable log. All
 * its proofs stay valid.
 *
 * @example
 * await redactFolder('./site', '01ARZ3NDEKTSV4RRFFQ69G5FAV', { logSigner });
 */
export async function redactFolder(folder: string, id: string, options: RedactOptions): Promise<RedactReport> {
  const prefix = join(folder, LOG_PREFIX);
  const [out, state] = [createFileFolder(folder), createFileFolder(options.state ?? prefix)];
  const lock = await lockStateFolder(options.state ?? prefix);
  try {
    return await redact({ out, state, id }, options);
  } finally {
    await lock.release();
  }
}

interface Redacting {
  readonly out: Folder;
  readonly state: Folder;
  readonly id: string;
}

async function redact(
  { out, state, id }: Redacting,
  { logSigner, now = Date.now }: RedactOptions,
): Promise<RedactReport> {
  const parts = await readLogParts(state);
  if (parts.length === 0) throw new LogMissingError(state.name);
  const { site, changes: before } = decodeLogParts(parts, state.name);
  const loaded = await loadLog(await findCopies({ out, state, previous: undefined }, logSigner.publicKey), before);
  if (loaded === undefined) throw new LogMissingError(out.name);
  const change = before.find((each) => each.id === id);
  if (change === undefined)
    throw new SettingRefusedError('<change-id>', id, 'No change of this log has it: see "tidings log".');
  const present = quotedFields(change);
  const copy = prefixOf(out);
  const fields = present.length > 0 ? present : await unsaidFields(copy, loaded.tree, change);
  if (fields.length === 0) {
    throw new SettingRefusedError('<change-id>', id, 'This change has no texts, or they are redacted already.');
  }

  const changes = before.map((each) => (each.id === id ? withoutSaltedTexts(each, fields) : each));
  const files = await rewrittenFiles({ out, site: new URL(site), changes, id });
  const digests = new Map(loaded.tree.files);
  // An interrupted run may have written some of them.
  const written = present.length > 0 ? [] : await writtenAlready(out, digests);
  const artifacts = [...files, ...written].map(({ path, bytes }) => {
    const [old, after] = [digests.get(path) ?? fileDigest(''), fileDigest(bytes)];
    digests.set(path, after);
    return { path, before: `sha256:${old}`, after: `sha256:${after}` };
  });
  const entry = { v: 1, type: 'redacted', id, time: formatTime(now()), fields, artifacts } as const;
  const entries = [...redactedEntries(entry)].map((each) => encodeEntry(each, sha256));

  await writeLog(redactedParts(parts, change, fields), state);
  for (const { path, bytes } of files) await out.replace(path, bytes);
  const chain = chainLines(NO_LINES, changes.slice(0, loaded.tree.changes));
  const tree = { ...loaded.tree, chain, files: digests };
  await writeProjected(projectLog({ ...loaded, tree, entries }, logSigner), { out, state });
  const rewritten = artifacts.map(({ path }) => path);
  const kept = await filesTelling(spellings(change, present), { out, state, paths: [...digests.keys()] });
  return { id, fields, rewritten, kept, size: loaded.tree.edge.size + entries.length };
}

/** The fields of a change whose texts are gone without an entry that says so: an interrupted run removed them. */
async function unsaidFields(place: Place, tree: TreeFile, change: Change): Promise<readonly string[]> {
  const entries = (await readAllEntries(place, tree.edge.size, knownEntries(tree))).flatMap((bytes) => {
    const decoded = decodeEntry(bytes);
    return decoded.ok ? [decoded.value.entry] : [];
  });
  const told = entries.find((entry) => entry.type === 'change' && entry.id === change.id);
  const said = entries.flatMap((entry) => (entry.type === 'redacted' && entry.id === change.id ? entry.fields : []));
  const hashed = told?.type === 'change' ? Object.keys(told.hashed) : [];
  return hashed.filter((field) => change.salts?.[field] === undefined && !said.includes(field));
}

async function writtenAlready(out: Folder, digests: ReadonlyMap<string, string>): Promise<readonly StateFile[]> {
  const written: StateFile[] = [];
  for (const [path, digest] of digests) {
    const bytes = await out.read(path);
    if (bytes !== undefined && fileDigest(bytes) !== digest) written.push({ path, bytes });
  }
  return written;
}

async function rewrittenFiles(site: { out: Folder; site: URL; changes: readonly Change[]; id: string }) {
  const parts = await Promise.all(DIALECTS.map(async ({ projection }) => (await projection?.())?.redact?.(site) ?? []));
  return parts.flat();
}

/** Only the line of that change differs. */
function redactedParts(parts: readonly LogPart[], change: Change, fields: readonly string[]): readonly LogPart[] {
  const [old, made] = [encodeLogLines([change]), encodeLogLines([withoutSaltedTexts(change, fields)])];
  return parts.map(({ path, text }) => ({ path, text: text.split(old).join(made) }));
}

async function filesTelling(
  texts: readonly string[],
  { out, state, paths }: { readonly out: Folder; readonly state: Folder; readonly paths: readonly string[] },
): Promise<readonly string[]> {
  const telling: string[] = [];
  for (const path of paths) if (holds(await out.read(path), texts)) telling.push(path);
  // The page itself, as last published, still contains it.
  if (holds(await state.read(PAGES_FILE), texts)) telling.push(PAGES_FILE);
  return telling;
}

function holds(bytes: Uint8Array | undefined, texts: readonly string[]): boolean {
  const content = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
  return texts.some((text) => content.includes(text));
}
