import { percentDecoded } from '../../../codecs/primitives/percent-decoded.ts';
import { documentText } from '../../../codecs/primitives/seen-document.ts';
import { isOwnPage } from '../../../extract/own-page.ts';
import { redirectTarget } from '../../../extract/redirect-target.ts';
import { addressOf, type ListContext, shown } from './list-context.ts';
import type { SiteDocuments } from './site-documents.ts';

/** Finds the pages of a folder that are in no Resource List. */
export interface UnlistedPages {
  /** Tells it that a Resource List has this address. */
  listed(loc: string): void;
  /** Takes what a collection with a Resource List describes. Pages outside of it are not reported. */
  covered(describes: string | undefined): void;
  close(): Promise<void>;
}

const MAX_LISTED = 500_000;
const MAX_READ = 100;
const MAX_NAMED = 5;

export function openUnlistedPages(documents: Pick<SiteDocuments, 'ask' | 'base'>, context: ListContext): UnlistedPages {
  const { ledger, listPages } = context;
  const paths = new Set<string>();
  const folders = new Set<string>();
  return {
    listed(loc) {
      if (listPages !== undefined && paths.size <= MAX_LISTED) paths.add(pathOf(loc));
    },
    covered(describes = '') {
      const address = addressOf(describes);
      if (address !== undefined) folders.add(folderOf(pathOf(address)));
    },
    async close() {
      const { base } = documents;
      if (listPages === undefined || base === undefined || paths.size === 0 || paths.size > MAX_LISTED) return;
      const isCovered = (path: string) => [...folders].some((folder) => path.startsWith(folder));
      const missing: string[] = [];
      for (const file of listPages()) {
        const path = `${base}/${file}`;
        if (missing.length >= MAX_READ || ERROR_PAGE.test(file) || !isCovered(path)) continue;
        if (addressesOf(path).some((address) => paths.has(address))) continue;
        const address = `/${file.split('/').map(encodeURIComponent).join('/')}`;
        const answer = await documents.ask(address, { isResource: true });
        if (answer.kind !== 'there') continue;
        if (isOwnPage(answer.document.bytes)) continue;
        // A page that only redirects does not count as a page.
        if (redirectTarget(documentText(answer.document).text, new URL(address, 'https://folder.invalid/').href))
          continue;
        missing.push(file);
      }
      if (missing.length === 0) return;
      const named = missing.slice(0, MAX_NAMED).map(shown).join(', ');
      const more =
        missing.length > MAX_NAMED
          ? ` and ${missing.length - MAX_NAMED} more${missing.length < MAX_READ ? '' : ' at least'}`
          : '';
      ledger.remark(`In no Resource List, so that mirrors do not get it: ${named}${more}.`);
    },
  };
}

/** The error pages of static hosts, also per language. */
const ERROR_PAGE = /(?:^|\/)404(?:\/index)?\.html?$/i;

/** The paths at which servers return a file. */
function addressesOf(path: string): string[] {
  const clean = path.replace(/\.html?$/i, '');
  const folder = /^(.*\/)index$/i.exec(clean)?.[1];
  return [path, clean, ...(folder === undefined ? [`${clean}/`] : [folder, folder.slice(0, -1)])];
}

/** `/shrine/` for `/shrine/`, `/shrine` and `/shrine/index.html`. */
function folderOf(path: string): string {
  return /\.[a-z]+$/i.test(path) ? path.slice(0, path.lastIndexOf('/') + 1) : path.replace(/\/*$/, '/');
}

function pathOf(address: string): string {
  return percentDecoded(new URL(address).pathname);
}
