import { DID_PATH } from '../../../codecs/agent-feed/wire.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { Folder } from '../../../model/folder.ts';
import { deriveFiles } from './derive-files.ts';
import type { LoadedSurface } from './load-surface.ts';
import { encodeSurfaceRecord, RECORD_PATH, type SurfaceLine, surfaceRecord } from './surface-record.ts';
import type { SurfaceReport } from './surface-report.ts';
import type { SurfaceSite } from './surface-site.ts';

export interface SurfacePlace extends LoadedSurface {
  readonly folder: Folder;
  readonly site: SurfaceSite;
}

/**
 * Adds lines to the record, then makes the served files from it: keys and snapshot first, the feed last.
 *
 * Throws before anything is written if a file cannot be made. The next run completes one that was cut short, because every file
 * that differs from the record is written, and no other file is.
 */
export async function writeSurface(
  { folder, site, record, recordText, existing }: SurfacePlace,
  lines: readonly SurfaceLine[],
  warnings: readonly string[],
): Promise<SurfaceReport> {
  const next = surfaceRecord([...record.lines, ...lines]);
  const files = deriveFiles(next, site, existing);
  const text = encodeSurfaceRecord(next);
  const written: string[] = [];
  // A new key is published before the record has it. So a key in the record that did.json lacks was removed by somebody.
  const isNewKey = lines.some(({ kind }) => kind === 'key');
  if (isNewKey) await writeFiles(files.artifacts.filter(({ path }) => path === DID_PATH.slice(1)));
  if (text !== recordText) {
    await folder.replace(RECORD_PATH, Buffer.from(text));
    written.push(RECORD_PATH);
  }
  await writeFiles(files.artifacts);
  return { feedStatus: next.status, entries: next.served.length, written, warnings: [...warnings, ...files.warnings] };

  async function writeFiles(artifacts: readonly Artifact[]): Promise<void> {
    for (const { path, bytes } of artifacts) {
      const before = await folder.read(path);
      if (before !== undefined && Buffer.compare(before, bytes) === 0) continue;
      await folder.replace(path, bytes);
      written.push(path);
    }
  }
}
