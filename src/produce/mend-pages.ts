import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { encodePageRecord, type PageRecord, type PagesFile } from '../log/pages-file.ts';
import type { Change } from '../model/change.ts';

/**
 * Repairs a pages file that lags behind its log.
 *
 * It lags after a publish that ended between the two writes, and after the pages file was lost. The log knows the fingerprint of the whole page after
 * each change, but not its sections: such a page is compared as a whole once.
 */
export function mendPages(pages: PagesFile, changes: readonly Change[], name: string): PagesFile {
  if (pages.log > changes.length) {
    throw new StateCorruptError(
      name,
      `the pages were written after change ${pages.log}, but the log holds only ${changes.length}.`,
      'The log was cut. Restore log.ndjson and pages.ndjson together, or give --previous with the live site.',
    );
  }
  if (pages.log === changes.length) return pages;

  const mended = new Map<string, PageRecord>(pages.pages);
  for (const change of changes.slice(pages.log)) {
    // An endpoint is not a page, even if both have the same URL.
    if (change.kind === 'endpoint') continue;
    if (change.action === 'delete') mended.delete(change.url);
    else mended.set(change.url, recordFromLog(change));
  }
  return { ...pages, log: changes.length, pages: mended };
}

function recordFromLog(change: Change): PageRecord {
  return encodePageRecord(
    { file: '' },
    {
      url: change.url,
      title: change.title ?? '',
      extractor: change.provenance.extractor ?? '',
      checksum: (change.anchor === undefined ? change.checksum : change.provenance.pageChecksum) ?? '',
      preamble: '',
      sections: [],
    },
  );
}
