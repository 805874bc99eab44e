/** Statistics of the content of a page, from its Markdown, so that themes and advertisements do not affect them. */
export interface ContentShape {
  readonly words: number;
  readonly headings: number;
  /** Headings that consist of one link, as on cards. */
  readonly linkedHeadings: number;
  readonly links: number;
  /** The share of words in links, from 0 to 1. */
  readonly linkShare: number;
  readonly codeBlocks: number;
  readonly inlineCodes: number;
  /** Amounts of money. */
  readonly prices: number;
  /** "Add to cart", "Sold out". */
  readonly cartWords: number;
  /** Distinct invitations to become a customer: "Request a demo". */
  readonly invitations: number;
}

// Each repeats a class that excludes its own start, so every text is matched in one pass.
const LINK_TEXT = /\[([^[\]\n]{0,300})\]\(/g;
const HEADING = /^#{1,6} /gm;
const LINKED_HEADING = /^#{1,6} \[[^\n]*\)$/gm;
const FENCE = /^[ >]*`{3,}/gm;
const INLINE_CODE = /(?<!`)`[^`\n]{1,200}`(?!`)/g;
const PRICE = /[$€£¥₹]\s?\d|\d\s?(?:€|EUR\b|USD\b|kr\b|zł)/g;
const CART = /\b(?:add to (?:cart|bag|basket)|buy now|(?:in|out of) stock|sold out)\b/gi;
const INVITATION =
  /\b(?:get started|contact (?:us|sales)|(?:request|get|book|schedule) (?:a|an|your) (?:free )?(?:demo|quote|call|consultation|estimate|appointment|tour)|free (?:quote|trial|consultation|estimate)|(?:try|start)(?: it)?(?: for)? free|talk to (?:sales|(?:an|our) experts?)|request info(?:rmation)?|apply (?:now|today)|get in touch|sign up)\b/gi;

export function contentShapeOf(markdown: string, words: number): ContentShape {
  let links = 0;
  let linkWords = 0;
  for (const [, text = ''] of markdown.matchAll(LINK_TEXT)) {
    links += 1;
    if (text !== '') linkWords += text.split(' ').length;
  }
  return {
    words,
    headings: count(markdown, HEADING),
    linkedHeadings: count(markdown, LINKED_HEADING),
    links,
    linkShare: words === 0 ? 0 : linkWords / words,
    codeBlocks: Math.floor(count(markdown, FENCE) / 2),
    inlineCodes: count(markdown, INLINE_CODE),
    prices: count(markdown, PRICE),
    cartWords: count(markdown, CART),
    invitations: new Set(markdown.match(INVITATION)?.map((words) => words.toLowerCase())).size,
  };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
