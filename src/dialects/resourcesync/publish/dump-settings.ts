import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import type { SiteSource } from '../../../produce/site-source.ts';
import type { DumpTools } from '../dumps/dump-tools.ts';

export const DUMP_BYTES = 50 * 1024 * 1024;
const MAX_DUMP_BYTES = 1024 * 1024 * 1024;

/** What dumps are made with. */
export interface Dumping extends Pick<DumpTools, 'deflate'> {
  /** The bytes of a page as they are now. */
  readonly readPage: (url: string) => Uint8Array | undefined;
}

/** What dumps are made with where they are wanted. Throws a {@link SettingRefusedError} where they cannot be made. */
export function ensureDumps(
  options: { readonly dumps?: boolean | undefined; readonly dumpBytes?: number | undefined },
  world: {
    readonly source: SiteSource;
    readonly deflate: DumpTools['deflate'] | undefined;
    readonly formats: readonly string[];
  },
): Dumping | undefined {
  const { dumps = false, dumpBytes = DUMP_BYTES } = options;
  if (!(Number.isSafeInteger(dumpBytes) && dumpBytes > 0 && dumpBytes <= MAX_DUMP_BYTES)) {
    throw new SettingRefusedError('dump-bytes', dumpBytes, 'Give a whole number of bytes, 1 to 1 GB.');
  }
  if (!dumps) return undefined;
  const { source, deflate } = world;
  if (!world.formats.includes('resourcesync')) {
    throw new SettingRefusedError(
      'dumps',
      'without resourcesync',
      'Dumps are part of ResourceSync: add it to the formats.',
    );
  }
  if (source.readPage === undefined || deflate === undefined) throw liveDumpsRefused();
  return { readPage: (url) => source.readPage?.(url), deflate };
}

/** What a publish of a live site answers who wants dumps. */
export function liveDumpsRefused(): SettingRefusedError {
  const remedy = 'Its pages are not kept. Publish the built folder of the site.';
  return new SettingRefusedError('dumps', 'of a live site', remedy);
}
