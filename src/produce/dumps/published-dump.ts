import { type DecodedDocument, decodeResourceSync } from '../../codecs/resourcesync/decode.ts';
import { LiveSiteError } from '../../errors/live-site-error.ts';
import type { Place } from '../folder.ts';

/** A package that is listed, and how it must be. */
export interface ListedPackage {
  readonly path: string;
  readonly length: number;
  readonly hash: string;
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface PublishedDump {
  readonly fromMs?: number | undefined;
  /** In their order. */
  readonly packages: readonly ListedPackage[];
}

/** What a dump lists that was published at a place; undefined when there is none, or none that can be read. */
export async function readPublishedDump(
  place: Place,
  path: string,
  { capability, site }: { readonly capability: 'resourcedump' | 'changedump'; readonly site: URL },
): Promise<PublishedDump | undefined> {
  const bytes = await readIfThere(place, path);
  if (bytes === undefined) return undefined;
  const list = decodeResourceSync(new TextDecoder().decode(bytes), { capability, isIndex: false });
  if (!list.ok) return undefined;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return { fromMs: list.value.md.from?.startMs, packages: packagesOf(list.value, site.href + folder, folder) };
}

/** A host that answers with a page has no such file: a dump is never HTML, and may never have been published. */
export async function readIfThere(place: Place, path: string): Promise<Uint8Array | undefined> {
  try {
    return await place.read(path);
  } catch (error) {
    if (error instanceof LiveSiteError && error.isPage) return undefined;
    throw error;
  }
}

function packagesOf({ entries }: DecodedDocument, base: string, folder: string): readonly ListedPackage[] {
  return entries.flatMap(({ loc, md }) => {
    const name = loc.startsWith(base) ? loc.slice(base.length) : '';
    if (!/^[\w-]+\.zip$/.test(name) || md.length === undefined || md.hash === undefined) return [];
    const { length, hash, from, until } = md;
    return [{ path: folder + name, length, hash, fromMs: from?.startMs, untilMs: until?.startMs }];
  });
}
