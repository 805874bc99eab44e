/**
 * Words by which a page's furniture is known, where its markup does not tell.
 *
 * All are tested on a short text with white space collapsed, as a whole: none of them cuts a sentence out of a paragraph.
 */

/** Longer texts are content, whatever they say. */
export const MAX_FURNITURE_TEXT = 200;

const RELATIVE_TIME =
  /^(?:about |over |almost |in )?(?:just now|now|today|yesterday|tomorrow|an?|\d+)(?: ?(?:s|sec|second|min|minute|h|hr|hour|d|day|w|week|mo|month|y|yr|year)s?)?(?: ago| from now)?$/i;

const STAMP = [
  /^(?:(?:this )?(?:page|article|document|content|site|documentation|docs?) (?:was |is )?)?(?:last|most recently) (?:updated?|modified|edited|changed|reviewed|revised|generated|built|published|verified|checked|commit(?:ted)?)\b.{0,120}$/i,
  /^(?:updated?|modified|edited|revised|published|posted|created|generated|built|date(?: published| modified)?|release date)\s*(?:on|at|:|-|–|—)?\s*(?:\w+,? )?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).{0,60}$/i,
  /^(?:(?:this )?(?:page|site|documentation|docs?) (?:was |is )?)?(?:built|generated|created|powered|made|rendered|hosted) (?:with|by|using|from|on|at|in)\b.{0,120}$/i,
  /^(?:build|revision|commit|version|rev)(?: id| hash| number)?\s*[:#]?\s*(?:v?\d+(?:\.\d+)+\S*|[0-9a-f]{7,40}|\d{3,})\.?$/i,
  /^(?:zuletzt (?:geändert|aktualisiert)|dernière (?:mise à jour|modification)|última (?:actualización|modificación|atualização)|ultimo aggiornamento|последнее (?:обновление|изменение)|最終更新|最后更新|上次更新|更新日期|마지막 (?:업데이트|수정)).{0,80}$/i,
];

const SMALL_TALK = [
  /^(?:\d+|no|one) (?:comments?|views?|replies|reads?|shares?|likes?|reactions?|claps?)$/i,
  /^(?:reading time:? ?)?(?:about |~)?\d+ ?(?:-| to )? ?\d* ?min(?:ute)?s?(?: read(?:ing time)?| to read)?$/i,
  /^(?:was|did|is|were|do|how) (?:this|you|we|helpful|useful|would)\b.{0,80}\b(?:helpful|useful|help|find|doing|improve|rate)\b.{0,60}$/i,
  /^(?:(?:leave|send|give|provide|share|submit)(?: us)?(?: your)? feedback|thank(?:s| you)(?: for your feedback)?[.!]?|rate this (?:page|article)|yes|no|yes ?no)$/i,
  /^(?:copy|copied!?|copy (?:code|link|page|to clipboard|snippet|as markdown)|print(?: this page)?|share(?: this(?: page| article| post)?)?|tweet|pin it|bookmark|menu|close|search|toggle navigation|show more|show less|read more|back to top|scroll to top|return to top|to top|top|\^|↑)$/i,
  /^(?:advertisements?|advertising|sponsored(?: content| post| by .{1,40})?|promoted|ads?|ad|ads by .{1,40}|anzeige|publicité|werbung|реклама|広告|广告)$/i,
  /^(?:subscribe|sign up)\b.{0,60}\bnewsletter.{0,60}$/i,
  /^(?:©|\(c\)|copyright\b).{0,160}$/i,
  /^all rights reserved\.?$/i,
];

const CONTENTS_LABEL =
  /^(?:(?:on|in) this (?:page|article|section|document|topic|guide|post|chapter)|table of contents|page contents|contents|toc|jump to(?: section| a section)?|quick links|auf dieser seite|inhalt(?:sverzeichnis)?|sur cette page|sommaire|en esta página|contenido|目录|目次|本页内容|このページの内容|содержание)\s*:?$/i;

const EDIT_LINK =
  /^\W*(?:edit|improve|suggest (?:an )?edits?(?: to)?|suggest (?:a )?changes?|fork|view|show|see|browse|open|report|raise|file|create|submit|found|propose|help (?:us )?(?:to )?improve|contribute to|give feedback(?: on| about)?)\b.{0,20}\b(?:this (?:page|article|doc|document|topic|section|file)|on (?:github|gitlab|bitbucket)|in github|page source|source|the docs|docs issue|documentation issue|an? issue|issue|a bug|a problem|edits?)\b.{0,40}$/i;

const STEP_LINK =
  /^(?:[←→«»‹›<>⟵⟶◀▶]+\s*)?(?:previous|prev|next|up next|back to|continue to|zurück|weiter|suivant|précédent|siguiente|anterior|次へ|前へ|下一页|上一页|下一篇|上一篇)\b.{0,120}$|^[←→«»‹›⟵⟶◀▶]+.{0,100}$|^.{0,100}[→»›⟶▶]+$/i;

const PERMALINK =
  /^(?:[^\p{L}\p{N}]*|(?:direct )?link to .*|perma(?:nent )?link.*|anchor(?: link)?(?: (?:to|for) .*)?|copy link.*|section titled .*|navigate to .*|share link.*|\[?link\]?)$/iu;

const SKIP_LINK = /^(?:skip|jump) (?:to|navigation|over|main)\b.{0,40}$/i;

const COOKIE_NOTICE =
  /\b(?:we|(?:this|our|the) (?:web ?)?sites?)\b.{0,40}\b(?:uses?|using) (?:\w+ ){0,3}cookies\b|\b(?:by (?:continuing|using|browsing)|you (?:agree|consent))\b.{0,80}\bcookies\b/i;

export function isRelativeTime(text: string): boolean {
  return text.length <= 40 && RELATIVE_TIME.test(text);
}

/** A line about the page rather than of it: when it was built, how long it reads, whether it was helpful. */
export function isFurnitureLine(text: string): boolean {
  if (text.length > MAX_FURNITURE_TEXT) return false;
  return (
    (/\bago$/i.test(text) && isRelativeTime(text)) ||
    STAMP.some((pattern) => pattern.test(text)) ||
    SMALL_TALK.some((pattern) => pattern.test(text))
  );
}

export function isContentsLabel(text: string): boolean {
  return text.length <= 60 && CONTENTS_LABEL.test(text);
}

export function isEditLink(text: string): boolean {
  return text.length <= 100 && EDIT_LINK.test(text);
}

export function isStepLink(text: string): boolean {
  return text.length <= MAX_FURNITURE_TEXT && STEP_LINK.test(text);
}

export function isSkipLink(text: string): boolean {
  return SKIP_LINK.test(text);
}

/** What a heading's own link says: a sign, nothing, or that it is a link. */
export function isPermalink(text: string): boolean {
  return text.length <= MAX_FURNITURE_TEXT && PERMALINK.test(text);
}

/** What a site says of its own cookies when it asks for leave. Documentation about cookies does not talk like this. */
export function isCookieNotice(text: string): boolean {
  return COOKIE_NOTICE.test(text);
}
