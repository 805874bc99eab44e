import { codeLanguageOf } from './code-language.ts';
import { codeTextOf } from './code-text.ts';
import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { imageSource } from './image-source.ts';
import { resolveLink } from './link-target.ts';
import { texOfMath } from './tex-of-math.ts';

/** The markup that is kept in a cell, without attributes, because readers see it. */
const KEPT = new Set('p ul ol li dl dt dd blockquote code kbd samp strong b em i var sup sub del s q'.split(' '));

/**
 * One row of a table in HTML, for cells that Markdown tables cannot contain: code of several lines, lists.
 *
 * It contains no blank line, which would end the HTML block. Spec: https://spec.commonmark.org/0.31.2/#html-blocks
 */
export function htmlRow(nodes: readonly HtmlNode[], base: string): string {
  const cells = nodes.flatMap((node) => {
    if (typeof node === 'string') return node.trim() === '' ? [] : [`<td>${textOf(node).trim()}</td>`];
    const name = node.name === 'th' ? 'th' : 'td';
    const pieces: string[] = [];
    for (const child of node.children) write(child, base, pieces);
    return [`<${name}${spansOf(node)}>${pieces.join('').trim()}</${name}>`];
  });
  return `<tr>${cells.join('')}</tr>`;
}

function spansOf(cell: HtmlElement): string {
  const spans = ['colspan', 'rowspan'].map((name) => {
    const value = attribute(cell, name)?.trim() ?? '';
    return /^\d{1,4}$/.test(value) && value !== '1' ? ` ${name}="${value}"` : '';
  });
  return spans.join('');
}

function write(node: HtmlNode, base: string, pieces: string[]): void {
  if (typeof node === 'string') {
    // A line end between two elements only formats the source.
    if (!/^\s*\n\s*$/.test(node)) pieces.push(textOf(node));
    return;
  }
  const { name } = node;
  if (name === 'pre') pieces.push(codeIn(node));
  else if (name === 'br') pieces.push('<br>');
  else if (name === 'img') pieces.push(imageIn(node, base));
  else if (name === 'math') pieces.push(`$${textOf(texOfMath(node))}$`);
  else {
    const [before, after] = tagsOf(node, base);
    pieces.push(before);
    for (const child of node.children) write(child, base, pieces);
    pieces.push(after);
  }
}

function tagsOf(element: HtmlElement, base: string): readonly [string, string] {
  const { name } = element;
  if (KEPT.has(name)) return [`<${name}>`, `</${name}>`];
  const href = name === 'a' ? resolveLink(attribute(element, 'href') ?? '', base) : undefined;
  if (href !== undefined) return [`<a href="${attributeText(href)}">`, '</a>'];
  return BLOCKS.has(name) ? [' ', ' '] : ['', ''];
}

function codeIn(pre: HtmlElement): string {
  const language = codeLanguageOf(pre);
  const code = escaped(codeTextOf(pre)).replace(/\n(?=[ \t]*\n)/g, '&#10;');
  return language === '' ? `<pre>${code}</pre>` : `<pre lang="${language}">${code}</pre>`;
}

function imageIn(image: HtmlElement, base: string): string {
  const alt = attribute(image, 'alt')?.trim() ?? '';
  const source = imageSource(image, base);
  return alt === '' || source === undefined
    ? attributeText(alt)
    : `<img src="${attributeText(source)}" alt="${attributeText(alt)}">`;
}

function textOf(text: string): string {
  return escaped(text.replace(/\s+/g, ' '));
}

function attributeText(text: string): string {
  return textOf(text).replaceAll('"', '&quot;');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
