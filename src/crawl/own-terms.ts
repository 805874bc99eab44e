import { shorten } from '../codecs/primitives/shorten.ts';
import { contentSignalWishes } from '../codecs/usage-terms/content-signal.ts';
import { contentUsageWishes } from '../codecs/usage-terms/content-usage.ts';
import { robotsWords, robotsWordsWishes } from '../codecs/usage-terms/robots-words.ts';
import { decodeRsl } from '../codecs/usage-terms/rsl.ts';
import { type TdmReservation, tdmReservation, tdmWishes } from '../codecs/usage-terms/tdmrep.ts';
import type { UsageSignal } from '../codecs/usage-terms/usage.ts';
import type { LivePage } from './live-page.ts';
import { linkedLicenses, NO_PAGE_TERMS, readPageTerms } from './page-terms.ts';
import { rslSignals } from './rsl-signals.ts';
import { robotsWordsIn } from './site-links.ts';

/** What a page and its HTTP response say about its use. */
export interface OwnTerms {
  readonly signals: readonly UsageSignal[];
  /** RSL files that they name. */
  readonly licenses: readonly string[];
}

const FIELDS = ['content-usage', 'content-signal'] as const;
const ANY_LICENSE = 'A licence for people: it says nothing that a machine can go by.';
const IMAGES = 'It speaks of images alone, which are not kept.';

export function ownTermsOf(page: LivePage): OwnTerms {
  const { url, headers } = page;
  const own = isHtml(page) ? readPageTerms(page) : NO_PAGE_TERMS;
  const linked = linkedLicenses(headers.link ?? '', url);
  return {
    signals: [
      ...FIELDS.flatMap((name) => {
        const value = headers[name];
        return value === undefined ? [] : [usageStatement(name, value, 'header')];
      }),
      ...wordsSignal(robotsWordsIn(headers), 'header'),
      ...wordsSignal(own.robotsWords, 'page'),
      ...reservation(page, own.tdm),
      ...own.inlineRsl.flatMap((xml) => inlineLicense(xml, url)),
      ...linked.others.map((license) => licenseLink(license, 'header')),
      ...own.otherLicenses.map((license) => licenseLink(license, 'page')),
    ],
    licenses: [...new Set([...linked.rsl, ...own.licenses])],
  };
}

/** A line of a robots.txt, or a header field of a response. */
export function usageStatement(kind: string, value: string, where: string): UsageSignal {
  return kind === 'content-usage'
    ? { vocabulary: 'aipref', where, said: shorten(value), wishes: contentUsageWishes(value) }
    : { vocabulary: 'content-signal', where, said: shorten(value), wishes: contentSignalWishes(value) };
}

export function reservationSignal(said: TdmReservation, where: string): UsageSignal {
  const notes = [
    ...(said.isReserved ? ['What a model reads for an answer may be meant, too.'] : []),
    ...(said.policy === undefined ? [] : [`Its policy is at ${shorten(said.policy)}.`]),
  ];
  return {
    vocabulary: 'tdmrep',
    where,
    said: `tdm-reservation ${Number(said.isReserved)}`,
    wishes: tdmWishes(said),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

/** In other texts such elements are examples. */
function isHtml({ mediaType }: LivePage): boolean {
  return mediaType === 'text/html' || mediaType === 'application/xhtml+xml';
}

function wordsSignal(all: readonly string[], where: string): readonly UsageSignal[] {
  const words = robotsWords(all);
  if (words.length === 0) return [];
  const wishes = robotsWordsWishes(words);
  const note = words.includes('noimageai') && wishes['ai-train'] === undefined ? { note: IMAGES } : {};
  return [{ vocabulary: 'robots-words', where, said: words.join(', '), wishes, ...note }];
}

/** The page takes precedence over the response headers. */
function reservation({ headers }: LivePage, ofPage: TdmReservation | undefined): readonly UsageSignal[] {
  if (ofPage !== undefined) return [reservationSignal(ofPage, 'page')];
  const ofHeader = tdmReservation(headers['tdm-reservation'], headers['tdm-policy']);
  return ofHeader === undefined ? [] : [reservationSignal(ofHeader, 'header')];
}

function inlineLicense(xml: string, url: URL): readonly UsageSignal[] {
  const decoded = decodeRsl(xml.trim());
  return decoded.ok ? rslSignals(decoded.value, url, 'page') : [];
}

function licenseLink(license: string, where: string): UsageSignal {
  return { vocabulary: 'license', where, said: shorten(license), wishes: {}, note: ANY_LICENSE };
}
