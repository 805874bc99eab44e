/**
 * Words that identify a page's furniture if its markup does not.
 *
 * All are tested against a whole short text with collapsed white space: none of them cuts words out of a sentence. Constant text may stay; what matters is text
 * that changes by itself, or comes and goes without the author.
 */

/** Longer texts are content, whatever they say. */
export const MAX_FURNITURE_TEXT = 200;

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const UNIT = '(?:s|sec|second|min|minute|h|hr|hour|d|day|w|week|mo|month|y|yr|year)s?';
const GENERATOR =
  'sphinx|hugo|jekyll|mkdocs|docusaurus|vitepress|vuepress|gatsby|next\\.?js|astro|starlight|gitbook|readme|wordpress|drupal|doxygen|javadoc|pdoc|typedoc|jsdoc|docbook|asciidoctor|antora|eleventy|mdbook|rustdoc|pkgdown|quarto|bookdown|hexo|pelican|zola|read the docs|mediawiki|confluence|material for mkdocs|github pages|netlify|vercel';

const RELATIVE_TIME = new RegExp(
  `^(?:just now|today|yesterday|tomorrow|(?:about |over |almost )?(?:an?|\\d+) ?${UNIT} (?:ago|from now))$`,
  'i',
);

/** One word of a date or a time of day. */
const MOMENT_WORD = new RegExp(
  `^(?:[-:.]+|\\d[\\d:./+-]*(?:t[\\d:.+-]+)?(?:z|st|nd|rd|th|am|pm|${UNIT})?[:.]?|[0-9a-f]{7,40}|(?:on|at|in|the|of|date|about|over|almost|an?|just|now|today|yesterday|ago|a\\.?m|p\\.?m|z|gmt|utc|[a-z]{1,3}st|[a-z]{1,3}dt|cet|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|[a-z]+day|${MONTH}|${UNIT})[:.]?)$`,
  'i',
);
const DATE = new RegExp(
  `\\b(?:\\d{4}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4}|${MONTH}\\.?,? \\d|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}|ago$|just now$|today\\b|yesterday\\b)`,
  'i',
);
const NAME = "@?\\p{L}[\\p{L}\\p{N}.'’_-]*(?: \\p{Lu}[\\p{L}.'’-]*){0,3}";
const AUTHOR = new RegExp(
  `\\b[Bb]y (?:\\d+ contributors?|the (?:\\p{L}+ ){1,2}team|${NAME}(?: and \\d+ (?:other )?(?:contributors?|others?))?)(?=[\\s.,]*$)|\\b[Bb]y ${NAME}`,
  'u',
);
const SOURCE_COMMIT = /\b(?:from|at) (?:commit|revision) [0-9a-f]{7,40}\.?$/i;

const LAST_TOUCHED =
  /^(?:(?:\S+ ){0,4}(?:page|article|document|content|site|documentation|docs?) (?:was |is |has been )?)?(?:last|most recently) (?:updated?|modified|edited|changed|reviewed|revised|generated|built|published|verified|checked|commit(?:ted)?)\b/i;
const TOUCHED =
  /^(?:(?:this )?(?:page|article|document|site|documentation|docs?) (?:was |is )?)?(?:updated?|modified|edited|revised|published|posted|generated|built|rendered|deployed)\b/i;
const LAST_TOUCHED_ELSEWHERE =
  /^(?:zuletzt (?:geändert|aktualisiert)|dernière (?:mise à jour|modification)|última (?:actualización|modificación|atualização)|ultimo aggiornamento|последнее (?:обновление|изменение)|最終更新|最后更新|上次更新|更新日期|마지막 (?:업데이트|수정))(?:\D{0,20}(?:\d{4}|\d{1,2}[./]\s?\d{1,2}).{0,30})?$/i;

/** Only a time of day may follow the date: "Mis à jour le 4 mars, le module …" is a sentence. */
const DATED_ELSEWHERE =
  /^(?:stand|(?:zuletzt|letztmals) (?:bearbeitet|überarbeitet|geändert|aktualisiert)|(?:dernière )?mis(?:e)? à jour|modifié|laatst (?:bijgewerkt|gewijzigd)|actualizado|atualizado|aggiornato|senast uppdaterad|sidst opdateret)\s?:?\s(?:am |vom |le |op |el |em |il |den |on )?(?:\d{4}-\d\d-\d\d|\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}|\d{1,2}\.? (?:de )?\p{L}{3,10}\.? (?:de )?\d{4})(?:[ ,]+(?:um |à |om )?\d{1,2}[:.h]\d\d(?::\d\d)?(?: (?:uhr|h|uur|utc))?)?\.?$/iu;

const READING_TIME =
  /^(?:reading time:? ?)?(?:about |~)?\d+ ?(?:(?:-|to) ?\d+ ?)?min(?:ute)?s?(?: read(?:ing time)?| to read)$/i;

const COUNTERS = [
  /^(?:page ?)?(?:views|hits|visits|visitors|reads|likes|shares): ?\d[\d.,]* ?[km]?$/i,
  /^\d[\d.,]* (?:(?:out )?of \d[\d.,]* )?(?:people|persons?|users?|readers?) found this (?:page |article |answer )?(?:helpful|useful)\.?$/i,
  /^\d[\d.,]* (?:users?|visitors?|guests?|members?|people) online(?: now)?\.?$/i,
  /^this page has been (?:accessed|viewed|visited|read) \d[\d.,]* times?\.?$/i,
  /^you are (?:our )?visitor (?:number |no\.? |#)\d[\d.,]*[.!]?$/i,
];

const LINES_ABOUT_THE_PAGE = [
  new RegExp(
    `^(?:(?:this )?(?:page|site|documentation|docs?) (?:was |is )?)?(?:built|generated|created|powered|made|rendered|hosted|deployed) (?:with|by|using|from|on)\\b.{0,20}\\b(?:${GENERATOR})\\b.{0,80}$`,
    'i',
  ),
  new RegExp(`^(?:generated|built|created) on .{4,80} (?:by|with|using) (?:${GENERATOR})\\b.{0,20}$`, 'i'),
  /^(?:page )?(?:rendered|generated|loaded|built|served|processed) in (?:about )?[\d.,]+ ?(?:ms|µs|s|sec|milliseconds?|seconds?)\.?$/i,
  /^(?:request|trace|session|correlation|ray|build)[ -]?id\s*[:#]?\s*(?=\S*\d)[\w-]{4,64}$/i,
  /^(?:build|revision|commit|rev)(?: id| hash| number)?\s*[:#]?\s*(?:v?\d+(?:\.\d+)+\S*|[0-9a-f]{7,40}|\d{3,})\.?$/i,
  /^(?:\d[\d.,]* ?[km]?|no|one) (?:comments?|views?|replies|reads?|shares?|likes?|reactions?|claps?)$/i,
  /^viewed \d[\d.,]* ?[km]? times?$/i,
  READING_TIME,
  ...COUNTERS,
  /^(?:copy|copied!?|copy (?:code|link|page|to clipboard|snippet|as markdown)|back to top|scroll to top|return to top|toggle navigation)$/i,
  /^(?:retrieved from|abgerufen von|récupérée de|obtenido de|obtida de|estratto da|источник —|取自|检索自)\s?["“„«]\s?https?:\/\/\S{1,500}\s?["”“»]$/i,
  /^(?:advertisements?|advertising|sponsored(?: content| post)?|ads by .{1,40}|anzeige|publicité|werbung|реклама|広告|广告)$/i,
  /^(?:subscribe|sign up)\b.{0,60}\bnewsletter.{0,60}$/i,
  /^(?:©|copyright\s*(?:©|\(c\))|\(c\)\s*(?:copyright\s*)?\d{4}\b).{0,160}$/i,
  /^Copyright \d{4}(?:\s?[-–,]\s?\d{4})*,?(?: by)?(?: (?:the )?\p{Lu}[\p{L}\p{N}.&'’-]*,?){1,6}(?: [Aa]ll [Rr]ights [Rr]eserved.{0,60})?$/u,
];

const FEEDBACK =
  /^(?:was|is|did you find) this (?:(?:page|article|section|content|documentation|document|topic|information|answer|guide|doc|tutorial) )?(?:helpful|useful)\b.{0,30}$/i;

const CONTENTS_LABEL =
  /^(?:(?:on|in) this (?:page|article|section|document|topic|guide|post|chapter)|table of contents|page contents|contents|toc|jump to(?: section| a section)?|auf dieser seite|inhalt(?:sverzeichnis)?|sur cette page|sommaire|en esta página|contenido|目录|目次|本页内容|このページの内容|содержание)\s*:?$/i;

/** Begins with a capital, like a button and unlike a link inside a sentence. */
const EDIT_LINK =
  /^[^\p{L}]*(?:Edit|EDIT|Improve|Suggest(?: an| a)? (?:edit|change)s?(?: to| on)?|View|Show|Open|Report(?: an| a)? (?:issue|bug|problem)(?: with| on)?)(?: (?:this|the))?(?: (?:page|article|doc|document|topic|file|section))?(?: source)?(?:(?: on| in) (?:github|gitlab|bitbucket|Github|GitHub|GitLab|Bitbucket))?$/u;

const STEP_LINK =
  /^(?:[←→«»‹›⟵⟶◀▶]+\s*)?(?:previous|prev|next|up next|zurück|weiter|suivant|précédent|siguiente|anterior|次へ|前へ|下一页|上一页|下一篇|上一篇)(?![\p{L}\p{N}.-]).{0,120}$|^[←«‹⟵◀]+.{0,100}$/iu;

const MAX_STEP_LABEL = 12;
const STEP_LABEL =
  /^(?:previous|prev|next|zurück|weiter|suivant|précédent|siguiente|anterior|次へ|前へ|下一页|上一页|下一篇|上一篇)$/iu;

const PERMALINK =
  /^(?:[^\p{L}\p{N}]*|(?:direct )?link to .*|perma(?:nent )?link.*|anchor(?: link)? (?:to|for) .*|copy link.*|section titled .*)$/iu;

const SKIP_LINK = /^(?:skip|jump) (?:to|navigation|over|main)\b.{0,40}$/i;

const COOKIE_NOTICE =
  /\b(?:we|(?:this|our|the) (?:web ?)?sites?)\b.{0,40}\b(?:uses?|using) (?:\w+ ){0,3}cookies\b|\b(?:by (?:continuing|using|browsing)|you (?:agree|consent))\b.{0,80}\bcookies\b/i;

export function isRelativeTime(text: string): boolean {
  return text.length <= 40 && RELATIVE_TIME.test(text);
}

/** When the page was last edited: the label, alone or with a date and at most a name. A sentence would continue. */
export function isStamp(text: string): boolean {
  const label = LAST_TOUCHED.exec(text)?.[0];
  if (label === undefined) return LAST_TOUCHED_ELSEWHERE.test(text);
  const rest = text.slice(label.length);
  return /^[\s:.–—-]*(?:on|at)?[\s:]*$/i.test(rest) || isMoment(rest);
}

function isDated(text: string): boolean {
  const label = TOUCHED.exec(text)?.[0];
  return label !== undefined && isMoment(text.slice(label.length));
}

/** A date, possibly with the time of day and a name, and nothing else. */
function isMoment(text: string): boolean {
  const words = text.replace(SOURCE_COMMIT, ' ').replace(AUTHOR, ' ').trim();
  return DATE.test(words) && words.split(/[\s,;()|·–—]+/).every((word) => word === '' || MOMENT_WORD.test(word));
}

/** A line about the page rather than its content: its date, its author, its reading time. */
export function isLineAboutPage(text: string): boolean {
  if (isAboutPage(text)) return true;
  if (text.length > MAX_FURNITURE_TEXT) return false;
  const parts = text.split(/\s[•·|]\s/);
  return parts.length > 1 && parts.some(isAboutPage) && parts.every((part) => isAboutPage(part) || isByline(part));
}

function isAboutPage(text: string): boolean {
  if (isStamp(text) || isDated(text) || DATED_ELSEWHERE.test(text) || isFeedbackQuestion(text)) return true;
  if (/ ago$/i.test(text) && isRelativeTime(text)) return true;
  return LINES_ABOUT_THE_PAGE.some((pattern) => pattern.test(text));
}

const BYLINE = /^(?:[Bb]y )?\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){1,3}$|^[Vv](?:ersion )?\d+(?:\.\d+)+$/u;

/** A name, date or version: it is about the page only beside other words that are. */
function isByline(part: string): boolean {
  return isMoment(part) || BYLINE.test(part);
}

export function isFeedbackQuestion(text: string): boolean {
  return FEEDBACK.test(text);
}

export function isContentsLabel(text: string): boolean {
  return text.length <= 60 && CONTENTS_LABEL.test(text);
}

export function isEditLink(text: string): boolean {
  return text.includes(' ') && text.length <= 80 && EDIT_LINK.test(text);
}

/** Only a word for a step through a site, like "Next". */
export function isStepLabel(text: string): boolean {
  return text.length <= MAX_STEP_LABEL && STEP_LABEL.test(text);
}

/** A link to the page before or after. */
export function isStepLink(text: string): boolean {
  return STEP_LINK.test(text);
}

/** The text of a heading's own link: a sign, nothing, or a word for link. */
export function isPermalink(text: string): boolean {
  return PERMALINK.test(text);
}

/** A link to the source of what is described: "source", "[src]", with the address of a line or a listing. */
export function isSourceLink(text: string, href: string): boolean {
  return /^\[?(?:src|source)\]?$/i.test(text) && SOURCE_ADDRESS.test(href);
}

const SOURCE_ADDRESS = /(?:^|\/)(?:src|_modules|source)\/[^?#]*\.html#|\/blob\/[^?#]*#L\d/;

/** A link to the form for editing one section of a wiki page. */
export function isSectionEdit(href: string): boolean {
  return href.includes('action=edit') && href.includes('section=') && /[?&](?:ve)?action=edit(?:&|$)/.test(href);
}

/** What is left of "[edit]" without its link. */
export function isEmptyBrackets(text: string): boolean {
  return /^\[[\s|]*\]$/.test(text);
}

/** The label of the copy button beside code, if it is not marked as a button. */
export function isCopyLabel(text: string): boolean {
  return /^\s*(?:copy (?:code )?to clipboard|copied(?: to clipboard)?!?|copy code)\s*$/i.test(text);
}

export function isSkipLink(text: string): boolean {
  return SKIP_LINK.test(text);
}

/** What a site says about its own cookies when it asks for consent. Documentation about cookies is worded differently. */
export function isCookieNotice(text: string): boolean {
  return COOKIE_NOTICE.test(text);
}
