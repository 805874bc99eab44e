/**
 * Lines among an article's paragraphs that are none of its text: what else to read, whom to follow, who wrote it.
 *
 * Asked of short blocks in articles only. Elsewhere the same words may be what a page is for.
 */

const more = [
  '(?:also|please) read|read (?:more|also|next|this)|see also|see more|related(?: (?:articles?|stor(?:y|ies)|posts?|reading|links?|content))?',
  "more (?:on|from|about) .{1,40}|recommended(?: reading)?|further reading|you (?:may|might) also like|don['’]t miss|keep reading|up next",
  'lesen sie (?:auch|mehr)|mehr (?:zum thema|dazu)|auch interessant|(?:à )?lire aussi|à lire|voir aussi',
  '(?:lea|lee|leer) también|te puede interesar|leggi anche|leia (?:também|mais)|lees ook',
];
const MORE = new RegExp(`^(?:${more.join('|')})\\s*(?:[:|>»→–—-]|$)`, 'i');

const site =
  '(?:facebook|twitter|x|instagram|linkedin|you ?tube|tiktok|pinterest|telegram|whatsapp|google news|mastodon|bluesky|threads)';
const invitations = [
  "if you(?:['’]re| are)? (?:enjoy|lik|lov)(?:e|ed|ing)? (?:this|reading|our|what)|enjoy(?:ed|ing)? (?:this|reading|our|what)",
  '(?:please )?(?:consider )?(?:support(?:ing)?|help(?:ing)?) (?:our (?:work|journalism|mission|site|blog)|us (?:keep|continue)|independent)',
  '(?:please )?consider (?:subscribing|donating|becoming)|(?:sign up|subscribe) (?:for|to|here|now|today|below)|(?:join|get) (?:our|the) (?:free |weekly |daily )*(?:newsletter|mailing list)',
  `follow (?:us|me|\\S+(?: \\S+){0,3})(?: on)?:? ${site}\\b|follow us\\b|find us on ${site}\\b|like us on`,
  'melden sie sich .{0,40}newsletter|jetzt abonnieren|abonnez-vous|inscrivez-vous|suscr[ií]bete|s[ií]guenos|folgen sie uns|suivez-nous',
  'view this post on instagram|a post shared by',
  'advertisement\\b.{0,40}$|(?:article|story) continues (?:below|after)|continue reading below|scroll to continue',
];
const INVITATION = new RegExp(`^(?:${invitations.join('|')})`, 'i');

const WRITERS =
  /^(?:(?:written|reviewed|edited|posted|words|photos?|photographs?|fact[- ]checked|medically reviewed) by\b|(?:about|meet) the (?:author|writer|contributor|expert)s?\b|über (?:den|die) autor|à propos de l['’]auteur|sobre (?:el|la) autora?)/i;

/** A life in a few words, a title, a date. A colon would begin what the person says. */
const AFTER_NAME = /^(?:$|,| (?:is|was|has|writes|covers|works|joined|leads|reports|specializes)\b| [\p{Lu}\d|·•–—-])/u;

/** Names what to read next; whether it is a link, the caller knows. */
export function isMoreToRead(text: string): boolean {
  return MORE.test(text);
}

export function isInvitation(text: string): boolean {
  return INVITATION.test(text);
}

/** Begins by telling who made the article: as such, or by a name that is known. */
export function isAboutWriters(text: string, authors: readonly string[]): boolean {
  if (WRITERS.test(text)) return true;
  const name = authors.find((author) => text.startsWith(author) || text.startsWith(`By ${author}`));
  return name !== undefined && AFTER_NAME.test(text.slice(text.indexOf(name) + name.length));
}
