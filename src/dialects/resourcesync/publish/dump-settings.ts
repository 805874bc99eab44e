import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import type { ProjectionOptions, ProjectionTools } from '../../projection.ts';
import type { DumpTools } from '../dumps/dump-tools.ts';

/** Hosts refuse files of 25 MiB, and pages that do not compress make a package as large as they are. */
export const DUMP_BYTES = 16 * 1024 * 1024;
const MAX_DUMP_BYTES = 1024 * 1024 * 1024;

/** What is needed to make dumps. */
export interface Dumping extends Pick<DumpTools, 'deflate'> {
  /** The current bytes of a page. */
  readonly readPage: (url: string) => Uint8Array | undefined;
}

/** Throws a {@link SettingRefusedError} if dumps are requested and cannot be made. */
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

/** What is needed to make dumps; undefined if none are requested, or none can be made. */
export function dumpingOf(
  { dumps = false }: Pick<ProjectionOptions, 'dumps'>,
  { readPage, deflate }: ProjectionTools,
): Dumping | undefined {
  return dumps && readPage !== undefined && deflate !== undefined ? { readPage, deflate } : undefined;
}

/** The error for dumps requested in a publish of a live site. */
export function liveDumpsRefused(): SettingRefusedError {
  const remedy = 'Its pages are not kept. Publish the built folder of the site.';
  return new SettingRefusedError('dumps', 'of a live site', remedy);
}
