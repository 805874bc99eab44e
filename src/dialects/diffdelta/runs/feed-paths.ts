import { GLOBAL_ID } from '../../../codecs/diffdelta/wire.ts';

/** How many digits of a cursor the name of an archive has (DD-A3). */
const SHOWN_DIGITS = 12;

export function headPath(name: string, root: string): string {
  return `${folderOf(name, root)}head.json`;
}

export function latestPath(name: string, root: string): string {
  return `${folderOf(name, root)}latest.json`;
}

/** The path of the list of archives of a feed, relative to the root. */
export function archiveIndexPath(name: string): string {
  return `${folderOf(name, '')}archives.json`;
}

interface ArchiveFacts {
  readonly name: string;
  readonly root: string;
  /** `2026-02-05T12:00:00.250Z` */
  readonly generatedAt: string;
  readonly cursor: string;
}

/** `/archive/docs/2026/02/05/20260205T120000Z_9bab0adf65dd.json` (DD-R4). */
export function archivePath({ name, root, generatedAt, cursor }: ArchiveFacts): string {
  const [year = '', month = '', day = ''] = generatedAt.slice(0, 10).split('-');
  const stamp = `${generatedAt.slice(0, 19).replace(/[-:]/g, '')}Z`;
  const digits = cursor.slice('sha256:'.length, 'sha256:'.length + SHOWN_DIGITS);
  return `${root}archive/${name}/${year}/${month}/${day}/${stamp}_${digits}.json`;
}

function folderOf(name: string, root: string): string {
  return name === GLOBAL_ID ? `${root}diff/` : `${root}diff/${name}/`;
}
