import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import type { ProjectionOptions, ProjectionTools } from '../../projection.ts';
import type { DumpTools } from '../dumps/dump-tools.ts';

/** Hosts refuse files of 25 MiB, and pages that cannot be packed tighter make a package as large as they are. */
export const DUMP_BYTES = 16 * 1024 * 1024;
const MAX_DUMP_BYTES = 1024 * 1024 * 1024;

/** What dumps are made with. */
export interface Dumping extends Pick<DumpTools, 'deflate'> {
  /** The bytes of a page as they are now. */
  readonly readPage: (url: string) => Uint8Array | undefined;
}

/** Throws a {@link SettingRefusedError} where dumps are wanted and cannot be made. */
export function ensureDumps(options: ProjectionOptions, tools: ProjectionTools): void {
  const { dumpBytes = DUMP_BYTES } = options;
  if (!(Number.isSafeInteger(dumpBytes) && dumpBytes > 0 && dumpBytes <= MAX_DUMP_BYTES)) {
    throw new SettingRefusedError('dump-bytes', dumpBytes, 'Give a whole number of bytes, 1 to 1 GB.');
  }
  if (!options.dumps) return;
  if (!options.isChosen) {
    throw new SettingRefusedError(
      'dumps',
      'without resourcesync',
      'Dumps are part of ResourceSync: add it to the formats.',
    );
  }
  if (dumpingOf(options, tools) === undefined) throw liveDumpsRefused();
}

/** What dumps are made with; undefined where none are wanted, or none can be made. */
export function dumpingOf(
  { dumps = false }: Pick<ProjectionOptions, 'dumps'>,
  { readPage, deflate }: ProjectionTools,
): Dumping | undefined {
  return dumps && readPage !== undefined && deflate !== undefined ? { readPage, deflate } : undefined;
}

/** What a publish of a live site answers who wants dumps. */
export function liveDumpsRefused(): SettingRefusedError {
  const remedy = 'Its pages are not kept. Publish the built folder of the site.';
  return new SettingRefusedError('dumps', 'of a live site', remedy);
}
