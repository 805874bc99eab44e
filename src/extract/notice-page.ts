import type { Page, PageOutline } from '../model/page.ts';
import { fingerprintOf } from './fingerprint.ts';

/** What a server sends in place of a page, with status 200. */
export type NoticeKind = 'challenge' | 'error' | 'login' | 'maintenance' | 'not-found' | 'stub';

/** A longer text is content, whatever its words. */
const MAX_NOTICE = 1_500;
const MAX_SHORT_NOTICE = 800;
/** Hardly a sentence. */
const MAX_STUB = 200;
/** The error page of a proxy has headings: what happened, what to do. */
const MAX_SECTIONS = 6;

const CHALLENGE =
  /verify(?:ing)? (?:that )?you(?:'|’)?(?: a|r)?e (?:a )?(?:human|not a (?:ro)?bot)|prove you(?:'|’)?(?: a|r)?e (?:human|not a robot)|checking (?:your browser|if the site connection is secure)|(?:enable|turn on) javascript and cookies to continue|unusual (?:traffic|activity)|complete the (?:captcha|security check)|(?:human|bot) verification|press (?:&|and) hold/i;
const BLOCKED =
  /^(?:just a moment|attention required|access (?:to this page (?:has been |is )?)?denied|request blocked)/i;
const CHALLENGE_MARK =
  /ray id|reference (?:#|id)|incident id|px-captcha|captcha-delivery|_incapsula_|cf-chl|challenge-(?:form|running)|turnstile/i;
const LOGIN = /\b(?:log|sign)[ -]?(?:in|on)\b|anmelden|einloggen|connexion|iniciar sesi[oó]n|accedi/i;
const PASSWORD_FIELD = /<input\b[^>]{0,500}\btype\s*=\s*["']?password\b/i;
const MAINTENANCE =
  /\b(?:under|down for|scheduled|site|planned) maintenance\b|temporarily (?:unavailable|down|offline)|(?:be|we’ll be|we'll be) (?:right )?back (?:soon|shortly)|wartungs(?:arbeiten|modus)|en maintenance|en mantenimiento/i;
const NOT_FOUND =
  /(?:^|\W)404(?:\W|$)|\b(?:page|document|article|file|content)\b.{0,40}\b(?:(?:was|could|can|cannot)?\s?(?:not be|not|n[’']t be)? ?found|no longer (?:exists|available)|does(?:n[’']t| not) exist)\b|\b(?:could(?: not|n[’']t)|can(?:not|[’']t)|unable to) find (?:that|this|the|your|a) (?:page|document|article|file)\b|^not found|nicht gefunden|introuvable|no encontrada|non trovata/i;
/** How servers and proxies name their own errors. A page about errors says more. */
const SERVER_ERROR =
  /^(?:(?:http )?(?:error )?5\d\d(?:\W|$)|error 1\d{3}(?:\W|$)|(?:bad gateway|gateway time-?out|(?:internal )?server error|service (?:temporarily )?unavailable|(?:an )?application error|origin (?:dns error|is unreachable)|web server is (?:down|returning)|too many requests|fatal error|an error occurred while processing)\b)/im;
const NO_INDEX = /<meta\b[^>]{0,300}\bname\s*=\s*["']?robots\b[^>]{0,300}\bnoindex\b/i;

/**
 * The kind of notice by its form, if it is not a page of the site: few words, typical of a login, a challenge or a notice.
 *
 * Based on the title and text read from `html`, so that varying ids and times do not matter.
 */
export function noticeOf(page: Page, html: string): NoticeKind | undefined {
  const { title, markdown, sections } = page;
  if (markdown.length > MAX_NOTICE || sections.length > MAX_SECTIONS) return undefined;
  const opening = sections[0]?.heading ?? '';
  if (CHALLENGE.test(`${title}\n${markdown}`)) return 'challenge';
  if ((BLOCKED.test(title) || BLOCKED.test(opening)) && CHALLENGE_MARK.test(html)) return 'challenge';
  if (PASSWORD_FIELD.test(html)) return 'login';
  if (markdown.length > MAX_SHORT_NOTICE) return undefined;
  const name = `${title}\n${opening}`;
  if (MAINTENANCE.test(`${title}\n${markdown}`)) return 'maintenance';
  if (NOT_FOUND.test(title) || NOT_FOUND.test(opening)) return 'not-found';
  if (SERVER_ERROR.test(name)) return 'error';
  return markdown.length <= MAX_STUB && NO_INDEX.test(html) && !LOGIN.test(name) ? 'stub' : undefined;
}

/**
 * Whether a page that was unknown before can only be a notice. No real page consists of the words of a challenge. A page that says it does not exist, or that
 * its server failed, is about that topic if its address says so.
 */
export function isOnlyNotice(kind: NoticeKind | undefined, { url, title, sections }: Page, html: string): boolean {
  if (kind === 'challenge') return CHALLENGE_MARK.test(html) || NO_INDEX.test(html);
  if (ABOUT_FAILURES.test(new URL(url).pathname)) return false;
  return kind === 'error' || (kind === 'not-found' && NO_SUCH_PAGE.test(`${title}\n${sections[0]?.heading ?? ''}`));
}

/** Addresses of guides to errors. */
const ABOUT_FAILURES =
  /\d{3}|not-?found|error|fail|gateway|unavailable|missing|status|code|trouble|problem|issue|faq|help/i;
/** A bare 404 may be the topic of a page. */
const NO_SUCH_PAGE = /page|document|article|file|content|seite|página|pagina/i;

/** Whether the page is still the same one, so that the difference is an edit: many pages contain a login form, and a login has its own page somewhere. */
export function isStillItself(kind: NoticeKind, before: PageOutline, after: PageOutline): boolean {
  const bodies = new Set(before.sections.map(({ body }) => body));
  if (after.sections.some(({ body, text }) => text !== '' && bodies.has(body))) return true;
  const names = new Set(before.sections.map(({ anchor }) => anchor));
  const sharesName = after.sections.some(({ anchor }) => names.has(anchor));
  if (before.title !== after.title) return FORM_ALONE.has(kind) && sharesName;
  return FORM_ALONE.has(kind) || sharesName || WORDS_OF[kind]?.test(before.title) === true;
}

/** Recognised by form, not by words. */
const FORM_ALONE: ReadonlySet<NoticeKind> = new Set(['login', 'stub']);

const WORDS_OF: Partial<Record<NoticeKind, RegExp>> = {
  challenge: CHALLENGE,
  error: SERVER_ERROR,
  maintenance: MAINTENANCE,
  'not-found': NOT_FOUND,
};

/** Fingerprint of a page without what differs at each look: numbers, ids and times. Two pages with the same fingerprint are the same notice. */
export function likenessOf({ title, markdown }: Page): string {
  const words = `${title}\n${markdown.slice(0, MAX_LIKENESS)}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return fingerprintOf(words.filter((word) => word.length <= MAX_WORD && !/\p{N}/u.test(word)).join(' '));
}

const MAX_LIKENESS = 20_000;
/** Longer words are ids. */
const MAX_WORD = 24;
