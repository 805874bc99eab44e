import { shorten } from '../codecs/primitives/shorten.ts';
import { matchesPath, readPathRule } from '../codecs/robots/path-rule.ts';
import { urlPath } from '../codecs/robots/url-path.ts';
import { contentSignalWishes } from '../codecs/usage-terms/content-signal.ts';
import { contentUsageWishes } from '../codecs/usage-terms/content-usage.ts';
import { robotsWords, robotsWordsWishes } from '../codecs/usage-terms/robots-words.ts';
import { decodeRsl, type RslContent, rslWishes } from '../codecs/usage-terms/rsl.ts';
import { decodeTdmRep, type TdmReservation, tdmReservation, tdmWishes } from '../codecs/usage-terms/tdmrep.ts';
import { combinedWishes, type UsageSignal, type Wishes } from '../codecs/usage-terms/usage.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { readBodyText } from '../fetch/read-text.ts';
import type { RobotsUsage } from '../fetch/robots-access.ts';
import type { LivePage } from './live-page.ts';
import { linkedLicenses, readPageTerms } from './page-terms.ts';
import { robotsWordsIn } from './site-links.ts';

/** What those who publish a page want of its use: each statement, and what follows from all of them. */
export interface UsageTerms {
  readonly signals: readonly UsageSignal[];
  readonly uses: Wishes;
}

export interface TermsPorts {
  readonly http: HttpClient;
  /** What the robots.txt of the page says. */
  readonly usageOf: (url: URL) => Promise<RobotsUsage>;
  readonly signal: AbortSignal;
}

const MAX_FILE_BYTES = 1024 * 1024;
/** So many licence files are asked for. */
const MAX_LICENSES = 3;
const TDM_FILE = '/.well-known/tdmrep.json';

/** Asks for what a site says of its use beside the page itself. A file that cannot be read says nothing. */
export async function readUsageTerms(page: LivePage, ports: TermsPorts): Promise<UsageTerms> {
  const { url, headers } = page;
  const robots = await ports.usageOf(url);
  const own = readPageTerms(page);
  const signals = [
    ...robots.said.map(({ kind, value }) => statement(kind, value, new URL('/robots.txt', url).href)),
    ...['content-usage', 'content-signal'].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [statement(name, value, 'header')];
    }),
    ...wordsSignal(robotsWordsIn(headers), 'header'),
    ...wordsSignal(own.robotsWords, 'page'),
    ...(await reservations(page, own.tdm, ports)),
  ];
  const named = [...robots.licenses, ...linkedLicenses(headers.link ?? '', url), ...own.licenses];
  for (const license of [...new Set(named)].slice(0, MAX_LICENSES))
    signals.push(...(await licensed(license, url, ports)));
  return { signals, uses: combinedWishes(signals.map(({ wishes }) => wishes)) };
}

function statement(kind: string, value: string, where: string): UsageSignal {
  return kind === 'content-usage'
    ? { vocabulary: 'aipref', where, said: shorten(value), wishes: contentUsageWishes(value) }
    : { vocabulary: 'content-signal', where, said: shorten(value), wishes: contentSignalWishes(value) };
}

function wordsSignal(all: readonly string[], where: string): readonly UsageSignal[] {
  const words = robotsWords(all);
  if (words.length === 0) return [];
  return [{ vocabulary: 'robots-words', where, said: words.join(', '), wishes: robotsWordsWishes(words) }];
}

/** The file of the host, the answer, the page: each of them counts more than the one before. */
async function reservations(
  { url, headers }: LivePage,
  ofPage: TdmReservation | undefined,
  ports: TermsPorts,
): Promise<readonly UsageSignal[]> {
  const ofHeader = tdmReservation(headers['tdm-reservation'], headers['tdm-policy']);
  const file = new URL(TDM_FILE, url).href;
  const ofFile = ofPage === undefined && ofHeader === undefined ? await reservationOf(file, url, ports) : undefined;
  const said = ofPage ?? ofHeader ?? ofFile;
  if (said === undefined) return [];
  const where = ofPage !== undefined ? 'page' : ofHeader !== undefined ? 'header' : file;
  return [
    {
      vocabulary: 'tdmrep',
      where,
      said: `tdm-reservation ${Number(said.isReserved)}`,
      wishes: tdmWishes(said),
      ...(said.policy !== undefined && { note: `Its policy is at ${shorten(said.policy)}.` }),
    },
  ];
}

async function reservationOf(file: string, url: URL, ports: TermsPorts): Promise<TdmReservation | undefined> {
  const text = await fileText(file, ports);
  const rules = text === undefined ? [] : decodeTdmRep(parsed(text));
  return mostSpecific(rules, ({ location }) => location, url)[0];
}

async function licensed(file: string, url: URL, ports: TermsPorts): Promise<readonly UsageSignal[]> {
  const text = await fileText(file, ports);
  const decoded = text === undefined ? undefined : decodeRsl(text);
  if (!decoded?.ok) {
    const note = 'The licence file cannot be read: look at it before the pages are used.';
    return [{ vocabulary: 'rsl', where: file, said: '', wishes: {}, note }];
  }
  return mostSpecific(decoded.value, (content) => patternOf(content, url), url).map((content) => ({
    vocabulary: 'rsl',
    where: file,
    said: shorten(saidIn(content)),
    wishes: rslWishes(content),
    ...(content.server !== undefined && { note: `A licence is to be got at ${shorten(content.server)} first.` }),
  }));
}

/** Of rules by path those that match a page and have the most specific pattern. */
function mostSpecific<T>(rules: readonly T[], patternIn: (rule: T) => string | undefined, url: URL): readonly T[] {
  const path = urlPath(url);
  if (path === undefined) return [];
  const matching = rules.flatMap((rule) => {
    const pattern = patternIn(rule);
    const read = pattern === undefined || pattern === '' ? undefined : readPathRule(true, pattern);
    return read !== undefined && matchesPath(read, path) ? [{ rule, octets: read.octets }] : [];
  });
  const most = Math.max(...matching.map(({ octets }) => octets));
  return matching.filter(({ octets }) => octets === most).map(({ rule }) => rule);
}

/** A pattern with a host counts for that host alone. */
function patternOf({ url: pattern }: RslContent, url: URL): string | undefined {
  const [, origin, path = '/'] = /^(https?:\/\/[^/]+)(\/.*)?$/i.exec(pattern) ?? [];
  if (origin === undefined) return pattern.startsWith('/') ? pattern : undefined;
  return origin.toLowerCase() === url.origin ? path : undefined;
}

function saidIn({ licenses }: RslContent): string {
  return licenses
    .flatMap(({ permits, prohibits, payment }) => [
      ...permits.map((word) => `permits ${word}`),
      ...prohibits.map((word) => `prohibits ${word}`),
      ...(payment === undefined ? [] : [`payment ${payment}`]),
    ])
    .join(', ');
}

async function fileText(file: string, { http, signal }: TermsPorts): Promise<string | undefined> {
  try {
    const response = await http.get({ url: new URL(file), maxBodyBytes: MAX_FILE_BYTES, signal });
    if (response.status === 200) return await readBodyText(response, { maxBytes: MAX_FILE_BYTES });
    await response.discard();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TidingsError)) throw error;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
