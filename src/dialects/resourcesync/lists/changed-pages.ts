import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import type { PageRecord } from '../../../log/pages-file.ts';

/** The addresses of pages whose entry in a Resource List was added, removed or changed. */
export function changedPages(
  before: ReadonlyMap<string, PageRecord>,
  now: ReadonlyMap<string, PageRecord>,
): readonly string[] {
  const changed: string[] = [];
  let known = 0;
  for (const [url, is] of now) {
    const was = before.get(url);
    if (was !== undefined) known += 1;
    if (was === undefined || !isSameEntry(was, is)) changed.push(url);
  }
  if (known < before.size) for (const url of before.keys()) if (!now.has(url)) changed.push(url);
  return changed.filter(isLoc);
}

function isSameEntry(a: PageRecord, b: PageRecord): boolean {
  return a === b || (a.file === b.file && a.bytes === b.bytes && a.modifiedMs === b.modifiedMs);
}
