import type { ExportedDocument, ShelfExport } from '../../dialects/shelf-export.ts';
import { inLanes } from '../../sync/in-lanes.ts';
import { beginsStretch, type ExportManifest, stretchHash } from './export-manifest.ts';
import type { TargetFile } from './export-target.ts';
import type { ExportWriter } from './export-writer.ts';

type Stretches = ExportManifest['same'];

/** How many files are written at a time. */
const AT_ONCE = 8;

/** Writes all that lasts and is not there, and compares what was not compared before. Gives what was compared, by stretches. */
export async function writeLasting(
  shelves: readonly ShelfExport[],
  writer: ExportWriter,
  known: Stretches,
): Promise<Stretches> {
  const same: Record<string, Stretches[string]> = {};
  for (const shelf of shelves) {
    for await (const stretch of stretchesOf(shelf.lasting())) {
      const first = stretch[0]?.path ?? '';
      skipKnown(stretch, writer, known[first]);
      const left = stretch.filter(({ path }) => !writer.isSame(path));
      const work = (document: ExportedDocument) => writer.write(document);
      await inLanes(left, ({ path }) => path, { most: AT_ONCE, work });
      const files = filesOf(stretch, writer);
      if (files.length > 0) same[first] = [files.length, stretchHash(files)];
    }
  }
  return same;
}

async function* stretchesOf(
  documents: ReturnType<ShelfExport['lasting']>,
): AsyncGenerator<readonly ExportedDocument[]> {
  let stretch: ExportedDocument[] = [];
  const seen = new Set<string>();
  for await (const document of documents) {
    if (seen.has(document.path)) continue;
    seen.add(document.path);
    if (stretch.length > 0 && beginsStretch(document.path)) {
      yield stretch;
      stretch = [];
    }
    stretch.push(document);
  }
  if (stretch.length > 0) yield stretch;
}

/** The known beginning of a range that has grown. */
function skipKnown(
  stretch: readonly ExportedDocument[],
  writer: ExportWriter,
  [count, hash]: Stretches[string] | readonly [0, ''] = [0, ''],
): void {
  const files = filesOf(stretch.slice(0, count), writer);
  if (files.length !== count || stretchHash(files) !== hash) return;
  for (const [path] of files) if (!writer.isSame(path)) writer.noteSame(path);
}

function filesOf(
  stretch: readonly ExportedDocument[],
  writer: ExportWriter,
): readonly (readonly [string, TargetFile])[] {
  return stretch.flatMap(({ path }) => {
    const file = writer.fileAt(path);
    return file === undefined ? [] : [[path, file] as const];
  });
}
