import { type DecodedDocument, decodeResourceSync } from '../../../codecs/resourcesync/decode.ts';
import { readIfThere } from '../../../log/read-if-there.ts';
import type { Place } from '../../../model/folder.ts';

/** A listed package, and the properties it must have. */
export interface ListedPackage {
  readonly path: string;
  readonly length: number;
  readonly hash: string;
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface PublishedDump {
  readonly fromMs?: number | undefined;
  /** In the order of the list. */
  readonly packages: readonly ListedPackage[];
}

/** Reads what a published dump lists; undefined if there is no dump, or it cannot be read. */
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

function packagesOf({ entries }: DecodedDocument, base: string, folder: string): readonly ListedPackage[] {
  return entries.flatMap(({ loc, md }) => {
    const name = loc.startsWith(base) ? loc.slice(base.length) : '';
    if (!/^[\w-]+\.zip$/.test(name) || md.length === undefined || md.hash === undefined) return [];
    const { length, hash, from, until } = md;
    return [{ path: folder + name, length, hash, fromMs: from?.startMs, untilMs: until?.startMs }];
  });
}
