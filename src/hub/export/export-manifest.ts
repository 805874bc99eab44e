import { hash } from 'node:crypto';
import { isRecord, type JsonRecord } from '../../codecs/primitives/json-record.ts';
import type { Artifact } from '../../model/artifact.ts';
import type { TargetFile } from './export-target.ts';

/**
 * What an export stores at its target, to compare less the next time:
 *
 *     {"tidings_export":1,"base":"https://hub.example/","same":{"archive/docs/…json":[212,"9f0c…"]},"large":{"ai-changes.ndjson":["01J3…","91233-…"]}}
 *
 * `same`: ranges of lasting files, by their first path; how many of each were compared, and a hash over their paths and stamps. `large`: which version was
 * written as which file. It is never proof that a file exists: for that, the target is asked. If it is lost, everything is compared again; if it is forged,
 * something is not.
 */
export interface ExportManifest {
  /** For which address of the hub it was. */
  readonly base: string;
  readonly same: Readonly<Record<string, readonly [count: number, hash: string]>>;
  readonly large: Readonly<Record<string, readonly [version: string, stamp: string]>>;
}

export const MANIFEST_PATH = '.tidings-export.json';
/** One path in this many begins a range, by its own hash: files that come or go elsewhere move no beginning. */
const STRETCH = 256;
const STAMP_CHARACTERS = 32;

/** Undefined if we did not write it. */
export function decodeExportManifest(bytes: Uint8Array | undefined): ExportManifest | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isRecord(value) || value.tidings_export !== 1) return undefined;
    const { base, same, large } = value;
    if (typeof base !== 'string' || !isRecord(same) || !isRecord(large)) return undefined;
    return { base, same: pairsIn(same) as ExportManifest['same'], large: pairsIn(large) as ExportManifest['large'] };
  } catch {
    return undefined;
  }
}

function pairsIn(record: JsonRecord): unknown {
  return Object.fromEntries(Object.entries(record).filter(([, pair]) => Array.isArray(pair) && pair.length === 2));
}

export function encodeManifest({ base, same, large }: ExportManifest): Artifact {
  return {
    path: MANIFEST_PATH,
    mediaType: 'application/json',
    cacheControl: 'no-store',
    bytes: Buffer.from(`${JSON.stringify({ tidings_export: 1, base, same, large })}\n`),
  };
}

export function beginsStretch(path: string): boolean {
  return Number.parseInt(hash('sha256', path, 'hex').slice(0, 8), 16) % STRETCH === 0;
}

/** Shows whether a range is unchanged. */
export function stretchHash(files: readonly (readonly [path: string, file: TargetFile])[]): string {
  const lines = files.map(([path, { bytes, stamp }]) => `${path} ${bytes} ${stamp}\n`);
  return hash('sha256', lines.join(''), 'hex').slice(0, STAMP_CHARACTERS);
}
