import type { PageBlock } from '../../../extract/blocks/page-blocks.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { counted } from '../../http/html-pieces.ts';
import type { PreviewedPage, PreviewedSection } from '../../preview/preview-page.ts';
import type { SourcePreview } from '../../preview/source-preview.ts';
import { outside } from '../changes/change-line.ts';

const MAX_LINE = 400;
const MAX_LINES = 12;
const MAX_RULE = 200;
/** Ways that are read as pages. */
const OF_PAGES = new Set(['pages', 'sitemap', 'markdown']);

export interface ShownPages {
  readonly html: Html;
  /** The rules that have a separate box. */
  readonly rules: ReadonlySet<string>;
}

/** Pages as they would be read, with their blocks: each block has a box that leaves it out. All of it is built here from text. */
export function pagesHtml({ pages, source, choice }: SourcePreview, ignored: readonly string[]): ShownPages {
  if (pages.length === 0) return { html: NO_HTML, rules: new Set() };
  const isFeed = source.kind === 'feed';
  const blocks = new BlockList(new Set(ignored), isFeed);
  const shown = pages.map((page, at) => pageHtml(page, at === 0, blocks));
  const main = html`<h2>Pages as they will be read</h2>
${isFeed ? html`<p>${FEED_WORDS}</p>` : introHtml(choice)}
${shown}
${isFeed ? NO_HTML : html`<p class="actions"><button data-reading>Leave these out and look again</button></p>`}`;
  return { html: main, rules: blocks.rules };
}

const FEED_WORDS = 'It is watched as a feed: of its pages nothing is read, so that no part of them can be left out.';
const TICK_WORDS =
  'Tick what is not worth telling when it changes: stamps, counters, adverts, lists of links. What is dim is left out already.';
const BROKEN_WORDS =
  'The feed tells what changes. Pages are read while it is broken, and a few of them each day to see whether it tells the truth.';

function introHtml(choice: SourcePreview['choice']): Html {
  const byPages = OF_PAGES.has(choice?.dialect ?? 'pages');
  return html`<p>${TICK_WORDS}</p>
${byPages ? NO_HTML : html`<p class="faint">${BROKEN_WORDS}</p>\n`}<div class="picked" data-picked aria-live="polite" hidden><h3>Left out by your rules</h3><ul></ul></div>`;
}

function pageHtml(page: PreviewedPage, isFirst: boolean, blocks: BlockList): Html {
  const { url, title, failure, remarks, opening, sections, moreSections, moreBlocks } = page;
  const name = title === undefined || title.trim() === '' ? url : title;
  return html`<details class="seen"${isFirst ? html` open` : NO_HTML}><summary><h3>${outsideText(name)}</h3></summary>
<p class="faint">${outside(url)}</p>
${failure === undefined ? NO_HTML : html`<p class="remark">It could not be read: ${outsideText(failure.message, MAX_LINE)}</p>\n`}${remarks.map((remark) => html`<p class="remark">${remark}</p>\n`)}${
  failure === undefined
    ? html`<div class="halves"><section><h4>What it says</h4>
${opening === '' ? NO_HTML : textHtml(opening)}${sections.map((section) => sectionHtml(section))}${sections.length === 0 && opening === '' ? html`<p class="faint">Nothing is left of it.</p>` : NO_HTML}${moreSections === 0 ? NO_HTML : html`<p class="faint">And ${counted(moreSections, 'section')} more.</p>`}</section>
<section><h4>What it is made of</h4>
${blocks.listHtml(page.blocks)}${moreBlocks === 0 ? NO_HTML : html`<p class="faint">And ${counted(moreBlocks, 'smaller block')} inside of these, which are not listed.</p>`}</section></div>`
    : NO_HTML
}</details>
`;
}

function sectionHtml({ heading, anchor, level, text }: PreviewedSection): Html {
  return html`<p class="heading level${Math.min(level, 6)}"><b>${outsideText(heading)}</b> <code class="faint">#${outsideText(anchor)}</code></p>
${textHtml(text)}`;
}

/** Markdown as it is written. */
function textHtml(text: string): Html {
  if (text === '') return NO_HTML;
  const lines = text.split('\n', MAX_LINES + 1);
  const shown = lines.slice(0, MAX_LINES).map((line) => {
    const [indent = ''] = /^ {0,40}/.exec(line) ?? [];
    return html`${indent}${outsideText(line, MAX_LINE)}\n`;
  });
  return html`<pre class="said">${shown}${lines.length > MAX_LINES ? '…' : ''}</pre>
`;
}

/** Gives each rule one box, however many blocks it means: a rule is ticked or it is not. */
class BlockList {
  readonly #ignored: ReadonlySet<string>;
  /** No rule counts. */
  readonly #isFixed: boolean;
  readonly #boxes = new Map<string, string>();

  constructor(ignored: ReadonlySet<string>, isFixed: boolean) {
    this.#ignored = ignored;
    this.#isFixed = isFixed;
  }

  get rules(): ReadonlySet<string> {
    return new Set(this.#boxes.keys());
  }

  listHtml(blocks: readonly PageBlock[]): Html {
    if (blocks.length === 0) return NO_HTML;
    return html`<ul class="blocks">${blocks.map((block) => this.#blockHtml(block))}</ul>`;
  }

  #blockHtml(block: PageBlock): Html {
    const { rule, leftOut, blocks } = block;
    // Blocks that the frame leaves out need no rule.
    if (leftOut === 'frame') return html`<li class="frame">${nameHtml(block)} <small>frame: never told</small></li>\n`;
    if (rule === undefined || this.#isFixed)
      return html`<li class="${leftOut ?? ''}">${nameHtml(block)}${this.listHtml(blocks)}</li>\n`;
    const known = this.#boxes.get(rule);
    const id = known ?? `block-${this.#boxes.size + 1}`;
    this.#boxes.set(rule, id);
    const isTicked = this.#ignored.has(rule);
    const box = html`<input type="checkbox" id="${id}" name="ignore" value="${rule}"${isTicked ? html` checked` : NO_HTML}>`;
    const note = leftOut === 'rule' && !isTicked ? html` <small>a rule leaves it out</small>` : NO_HTML;
    // Blocks inside a left-out block are left out with it.
    const inside = leftOut === 'rule' ? NO_HTML : this.listHtml(blocks);
    return html`<li class="${leftOut ?? ''}" data-rule="${rule}"><label for="${id}">${known === undefined ? box : html`<span class="same" aria-hidden="true">↑</span>`} ${nameHtml(block)} <code>${outsideText(rule, MAX_RULE)}</code>${note}</label>${inside}</li>
`;
  }
}

function nameHtml({ name, words }: PageBlock): Html {
  return html`<b class="tag">${outsideText(name, 30)}</b> ${outsideText(words)}`;
}
