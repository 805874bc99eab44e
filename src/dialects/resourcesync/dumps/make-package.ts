import { hash } from 'node:crypto';
import { encodeResourceSync } from '../../../codecs/resourcesync/encode.ts';
import type { Head, ResourceEntry } from '../../../codecs/resourcesync/wire.ts';
import { encodeZip, type PackedFile, packFile, zipOverheadOf } from '../../../codecs/zip/encode-zip.ts';
import { othersFirst } from '../../../log/others-first.ts';
import type { PageRecord } from '../../../log/pages-file.ts';

const MANIFEST = 'manifest.xml';
export const PACKAGE_TYPE = 'application/zip';

/** When one of these is reached, a package is full. */
export interface PackageLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** An entry of a manifest, with the page whose bytes it describes. A deleted resource has no page. */
export interface PlannedEntry {
  readonly entry: ResourceEntry<number>;
  readonly page?: PageRecord | undefined;
}

/** The bytes of a page, exactly as its record describes them; undefined if they are not available. */
export type ReadPage = (page: PageRecord) => Uint8Array | undefined;

export interface MadePackage {
  readonly bytes: Uint8Array;
  readonly manifest: string;
  /** Pages whose bytes were not available. The package does not have them. */
  readonly missing: readonly string[];
}

/** Estimated size of the tags around a manifest entry, its hash and its times. */
const ENTRY_BYTES = 320;
const FILES_PER_TURN = 256;

/** Splits the entries in order, so that each package keeps the limits. The unpacked size of the files counts. */
export function splitPackages(
  entries: readonly PlannedEntry[],
  { maxEntries, maxBytes }: PackageLimits,
): readonly (readonly PlannedEntry[])[] {
  const packages: PlannedEntry[][] = [];
  let current: PlannedEntry[] = [];
  let used = 0;
  for (const planned of entries) {
    const { loc, md } = planned.entry;
    const bytes = (planned.page?.bytes ?? 0) + zipOverheadOf(md.path ?? '') + ENTRY_BYTES + loc.length;
    if (current.length > 0 && (current.length >= maxEntries || used + bytes > maxBytes)) {
      packages.push(current);
      current = [];
      used = 0;
    }
    current.push(planned);
    used += bytes;
  }
  return current.length === 0 ? packages : [...packages, current];
}

/** Puts the manifest first, then the pages. */
export async function makePackage(
  head: Head<number>,
  planned: readonly PlannedEntry[],
  { readPage, deflate }: { readonly readPage: ReadPage; readonly deflate: (bytes: Uint8Array) => Uint8Array },
): Promise<MadePackage> {
  const entries: ResourceEntry<number>[] = [];
  const files: PackedFile[] = [];
  const missing: string[] = [];
  for (const [index, { entry, page }] of planned.entries()) {
    if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await othersFirst();
    const { path } = entry.md;
    if (page !== undefined && path !== undefined) {
      const bytes = readPage(page);
      if (bytes === undefined) {
        missing.push(entry.loc);
        continue;
      }
      files.push(packFile(path.slice(1), bytes, deflate));
    }
    entries.push(entry);
  }
  const manifest = manifestText(head, entries);
  const zip = encodeZip([packFile(MANIFEST, Buffer.from(manifest), deflate), ...files]);
  if (!zip.ok) throw new Error(zip.issues[0].message);
  return { bytes: zip.value, manifest, missing };
}

export function manifestText(head: Head<number>, entries: readonly ResourceEntry<number>[]): string {
  const text = encodeResourceSync({ ...head, entries }, { maxBytes: Infinity });
  if (!text.ok) throw new Error(`${text.issues[0].clause}: ${text.issues[0].message}`);
  return text.value;
}

/** The SHA-256 in the notation of ResourceSync. */
export function digestOf(bytes: Uint8Array): string {
  return `sha-256:${hash('sha256', bytes, 'hex')}`;
}
