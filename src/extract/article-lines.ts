/**
 * Lines among an article's paragraphs that are not part of its text: whom to follow, what to support, who wrote it.
 *
 * Used only for short blocks in articles. Elsewhere the same words may be the purpose of a page.
 */

const site =
  '(?:facebook|twitter|x|instagram|linkedin|you ?tube|tiktok|pinterest|telegram|whatsapp|google news|mastodon|bluesky|threads)';
const writing = '(?:article|story|post|piece|essay|content|blog|site|podcast|video|newsletter|work|journalism)';
const invitations = [
  `(?:if you(?:['’]re| are)? (?:enjoy|lik|lov)(?:e|ed|ing)?|enjoy(?:ed|ing)?) (?:this|reading this|reading|our|the) (?:\\w+ )?${writing}\\b`,
  `(?:please )?(?:consider )?(?:support(?:ing)?|help(?:ing)?) (?:our (?:mission|${writing})\\b|us (?:keep|continue)|independent journalism)`,
  '(?:please )?consider (?:subscribing|donating|becoming)|(?:sign up|subscribe|join|get)\\b.{0,60}\\b(?:newsletters?|mailing list|inbox)\\b',
  `follow (?:us|me|\\S+(?: \\S+){0,3})(?: on)?:? ${site}\\b|follow us\\b|find us on ${site}\\b|like us on ${site}\\b`,
  'melden sie sich .{0,40}newsletter|jetzt abonnieren|abonnez-vous|inscrivez-vous|suscr[ií]bete|s[ií]guenos|folgen sie uns|suivez-nous',
  'view this post on instagram|a post shared by',
  'advertisement(?: ?[-–—:].{0,40})?$|(?:article|story) continues (?:below|after)|continue reading below$|scroll to continue',
];
const INVITATION = new RegExp(`^(?:${invitations.join('|')})`, 'i');

/** Must match the whole line: a sentence that begins like it continues. */
const WRITERS =
  /^(?:(?:(?:written|reviewed|edited|posted|words|photos?|photographs?|fact[- ]checked|medically reviewed) by\b|über (?:den|die) autor|à propos de l['’]auteur|sobre (?:el|la) autora?)[^.!?]{0,60}|(?:about|meet) the (?:author|writer|contributor)s?:?)$/i;

/** A short biography. After a colon, a quotation of the person would follow. */
const AFTER_NAME = /^(?:$|,| (?:is|was|has|writes|covers|works|joined|leads|reports|specializes)\b)/;

export function isInvitation(text: string): boolean {
  return INVITATION.test(text);
}

/** Whether the first line of a block names the makers of the article: by its form, or by a known name. */
export function isAboutWriters(line: string, authors: readonly string[]): boolean {
  if (WRITERS.test(line)) return true;
  const name = authors.find((author) => line.startsWith(author) || line.startsWith(`By ${author}`));
  return name !== undefined && AFTER_NAME.test(line.slice(line.indexOf(name) + name.length));
}
