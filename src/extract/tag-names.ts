import { BLOCKS, CLOSED_BY, HEAD_ONLY, isVoid, MEDIA, scopeOfEndTag, UNSEEN } from './html-elements.ts';
import { KnownNames } from './known-names.ts';

/** What an element's name implies for its tags and its text. */
export interface TagName {
  readonly name: string;
  readonly part: TagPart;
  readonly isBlock: boolean;
  readonly isVoid: boolean;
  /** It contains no tags except its own end tag. */
  readonly isRaw: boolean;
  /** Nor are character references decoded in it. */
  readonly isVerbatim: boolean;
  /** Its content is never shown as text of the page, … */
  readonly isUnseen: boolean;
  /** … and something else is shown instead. */
  readonly isMedia: boolean;
  readonly isForeign: boolean;
  readonly isHeadOnly: boolean;
  readonly isCode: boolean;
  readonly isRoleMark: boolean;
  /** The elements that its start tag ends. */
  readonly closes: ImpliedEnd | undefined;
  /** The elements that its end tag does not cross. */
  readonly scope: ReadonlySet<string>;
}

type ImpliedEnd = NonNullable<ReturnType<typeof CLOSED_BY.get>>;

/** Where the text of an element belongs. Of the frame, only the content matters. */
export type TagPart = 'seen' | 'unseen' | 'silent' | 'script' | 'style' | 'frame';

/** Elements whose text people see only if something fails, or never. */
const SEEN_BY_FEW = words(
  'template noscript noembed noframes object applet canvas audio video iframe datalist metadata desc',
);
const SILENT = words('title base link');
const VERBATIM = words('script style iframe noembed noframes xmp plaintext');
const RAW = words('title textarea');
const CODE = words('pre code kbd samp tt var');
/** Elements outside HTML whose names mark who is speaking. */
const ROLE_MARK =
  /^(?:system|system[-_]?(?:prompt|message|instructions?)|instructions?|assistant|developer|tool[-_]?(?:call|use)|function[-_]?calls?|invoke|user[-_]?query|human)$/;

/** The most frequent tag names, so that each is described only once. */
const USUAL =
  'a abbr article aside b blockquote body br button code dd div dl dt em figure footer form g h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main meta nav noscript ol option p path picture pre script section select small source span strong style sub sup svg table tbody td template th thead time title tr u ul use';

const NAMES = new KnownNames(USUAL.split(' '), describe);

/** For the name written there. */
export function tagNameAt(html: string, start: number, end: number): TagName {
  return NAMES.at(html, start, end);
}

/** For a name as written. */
export function tagNameOf(written: string): TagName {
  return NAMES.at(written, 0, written.length);
}

function describe(name: string): TagName {
  return {
    name,
    part: partOf(name),
    isBlock: BLOCKS.has(name) || name === 'br' || name === 'hr',
    isVoid: isVoid(name),
    isRaw: RAW.has(name) || VERBATIM.has(name),
    isVerbatim: VERBATIM.has(name),
    isUnseen: UNSEEN.has(name),
    isMedia: MEDIA.has(name),
    isForeign: name === 'svg' || name === 'math',
    isHeadOnly: HEAD_ONLY.has(name),
    isCode: CODE.has(name),
    isRoleMark: ROLE_MARK.test(name),
    closes: CLOSED_BY.get(name),
    scope: scopeOfEndTag(name),
  };
}

function partOf(name: string): TagPart {
  if (name === 'script' || name === 'style') return name;
  if (name === 'head' || name === 'html') return 'frame';
  return SEEN_BY_FEW.has(name) ? 'unseen' : SILENT.has(name) ? 'silent' : 'seen';
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
