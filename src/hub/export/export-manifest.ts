import { hash } from 'node:crypto';
import { isRecord, type JsonRecord } from '../../codecs/primitives/json-record.ts';
import type { Artifact } from '../../model/artifact.ts';
import type { TargetFile } from './export-target.ts';

/**
 * What an export remembers at its target, to look at less the next time:
 *
 *     {"tidings_export":1,"base":"https://hub.example/","same":{"archive/docs/…json":[212,"9f0c…"]},"large":{"ai-changes.ndjson":["01J3…","91233-…"]}}
 *
 * `same`: stretches of lasting files, by their first path; how many of each were compared, and a hash over their paths and stamps. `large`: which
 * version was written as which file. Nothing is taken to be there because of it: what is there, the target itself is asked. Where it is lost,
 * everything is compared again; where it is forged, something is not.
 */
export interface ExportManifest {
  /** For which address of the hub it was. */
  readonly base: string;
  readonly same: Readonly<Record<string, readonly [count: number, hash: string]>>;
  readonly large: Readonly<Record<string, readonly [version: string, stamp: string]>>;
}

export const MANIFEST_PATH = '.tidings-export.json';
/** One path in so many begins a stretch, by its own hash: what comes or goes elsewhere moves no beginning. */
const STRETCH = 256;
const STAMP_CHARACTERS = 32;

/** Undefined where it is not one that we wrote. */
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

/** What of a stretch says that it is as it was. */
export function stretchHash(files: readonly (readonly [path: string, file: TargetFile])[]): string {
  const lines = files.map(([path, { bytes, stamp }]) => `${path} ${bytes} ${stamp}\n`);
  return hash('sha256', lines.join(''), 'hex').slice(0, STAMP_CHARACTERS);
}
