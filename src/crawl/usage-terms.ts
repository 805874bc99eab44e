import { combinedWishes, type UsageSignal, type Wishes } from '../codecs/usage-terms/usage.ts';
import type { RobotsUsage } from '../fetch/robots-access.ts';
import type { LivePage } from './live-page.ts';
import { type OwnTerms, ownTermsOf, reservationSignal, usageStatement } from './own-terms.ts';
import { mostSpecific, rslSignals } from './rsl-signals.ts';
import { createTermFiles, type FileWay, type TermFiles } from './term-files.ts';

/** What the publisher of a page wants for its use: each statement, and what follows from all of them. */
export interface UsageTerms {
  readonly signals: readonly UsageSignal[];
  readonly uses: Wishes;
  /** A file that may say more could not be read. */
  readonly isPart?: true;
}

export interface TermsPorts extends FileWay {
  /** What the robots.txt says about the page. */
  readonly usageOf: (url: URL) => Promise<RobotsUsage>;
  /** The known files of sites. Absent: all of them are requested. */
  readonly files?: TermFiles;
}

/** The maximum number of licence files that are requested. */
const MAX_LICENSES = 3;
const TDM_FILE = '/.well-known/tdmrep.json';
const UNREADABLE = 'The licence file cannot be read: look at it before the pages are used.';
/** For callers that keep nothing between two pages. */
const ALWAYS = { now: () => 0 };

/** Reads what a site says about its use beside the page itself. An unreadable file counts for nothing. */
export async function readUsageTerms(page: LivePage, ports: TermsPorts): Promise<UsageTerms> {
  return await usageTermsWith(ownTermsOf(page), page.url, ports);
}

/** The terms of a page whose own statements are known: what its site says is read now. */
export async function usageTermsWith(own: OwnTerms, url: URL, ports: TermsPorts): Promise<UsageTerms> {
  const { files = createTermFiles(ALWAYS) } = ports;
  const robots = await ports.usageOf(url);
  const isReserved = own.signals.some(({ vocabulary }) => vocabulary === 'tdmrep');
  const reserved = isReserved ? NOTHING : await reservedBySite(url, files, ports);
  const named = [...new Set([...robots.licenses, ...own.licenses])].slice(0, MAX_LICENSES);
  const licensed: FileSignals[] = [];
  for (const file of named) licensed.push(await licensedBy(file, url, { files, ports }));
  const signals = [
    ...robots.said.map(({ kind, value }) => usageStatement(kind, value, new URL('/robots.txt', url).href)),
    ...own.signals,
    ...[reserved, ...licensed].flatMap((file) => file.signals),
  ];
  const isPart = robots.isUnread === true || [reserved, ...licensed].some((file) => file.isUnread);
  return { signals, uses: combinedWishes(signals.map(({ wishes }) => wishes)), ...(isPart && { isPart }) };
}

interface FileSignals {
  readonly signals: readonly UsageSignal[];
  readonly isUnread: boolean;
}

const NOTHING: FileSignals = { signals: [], isUnread: false };

async function reservedBySite(url: URL, files: TermFiles, way: FileWay): Promise<FileSignals> {
  const file = new URL(TDM_FILE, url).href;
  const found = await files.reservations(file, way);
  if (found.is !== 'said') return { signals: [], isUnread: found.is === 'unread' };
  const [rule] = mostSpecific(found.rules, ({ location }) => location, url);
  return rule === undefined ? NOTHING : { signals: [reservationSignal(rule, file)], isUnread: false };
}

async function licensedBy(
  file: string,
  url: URL,
  { files, ports }: { readonly files: TermFiles; readonly ports: TermsPorts },
): Promise<FileSignals> {
  const found = await files.licenses(file, ports);
  if (found.is !== 'said') {
    const signal = { vocabulary: 'rsl', where: file, said: '', wishes: {}, note: UNREADABLE } as const;
    return { signals: [signal], isUnread: found.is === 'unread' };
  }
  return { signals: rslSignals(found.rules, url, file), isUnread: false };
}
