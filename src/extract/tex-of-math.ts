import { attribute, elementText, type HtmlElement, type HtmlNode } from './html-tree.ts';

/** A MathML formula as TeX: the author's source if it is included, else built from its parts. */
export function texOfMath(math: HtmlElement): string {
  const written = annotationIn(math);
  const tex = written === undefined ? texOf(math) : elementText(written);
  return withoutStyle(tex);
}

export interface Formula {
  readonly tex: string;
  readonly isBlock: boolean;
}

/** Only `\\(x\\)` or `\\[x\\]` in an element, as Sphinx, MkDocs and Pandoc write formulas for scripts. */
export function texBetweenSigns(element: HtmlElement): Formula | undefined {
  const [text] = element.children;
  if (element.children.length !== 1 || typeof text !== 'string' || !text.includes('\\')) return undefined;
  const [, inline, block] = BETWEEN_SIGNS.exec(text.trim()) ?? [];
  const tex = (inline ?? block)?.replace(/\s+/g, ' ').trim();
  return tex === undefined || tex === '' ? undefined : { tex, isBlock: block !== undefined };
}

const BETWEEN_SIGNS = /^(?:\\\(((?:(?!\\\))[\s\S])+)\\\)|\\\[((?:(?!\\\])[\s\S])+)\\\])$/;

/** A formula as an image: the alternative text of MediaWiki is its TeX, and so is that of images with the class math or LaTeX. */
export function texOfImage(image: HtmlElement, alt: string): Formula | undefined {
  const names = attribute(image, 'class') ?? '';
  if (!isMediaWikiTex(alt) && !/(?:^|\s)(?:math|latex|tex)(?:\s|$)/.test(names)) return undefined;
  const tex = withoutStyle(alt);
  return tex === '' ? undefined : { tex, isBlock: /-(?:display|block)(?:\s|$)/.test(names) };
}

export function isMediaWikiTex(alt: string): boolean {
  return /^\{\\(?:display|text)style\s/.test(alt);
}

function withoutStyle(tex: string): string {
  const [, inner] = /^\s*\{\\(?:display|text)style\s+([\s\S]*)\}\s*$/.exec(tex) ?? [];
  return (inner ?? tex).replace(/\s+/g, ' ').trim();
}

function annotationIn(element: HtmlElement): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (child.name === 'annotation' && /tex/i.test(attribute(child, 'encoding') ?? '')) return child;
    const found =
      child.name === 'math' || child.name === 'semantics' || child.name === 'mrow' ? annotationIn(child) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function texOf(node: HtmlNode): string {
  if (typeof node === 'string') return node.trim();
  const parts = node.children.filter((child) => typeof child !== 'string' || child.trim() !== '').map(texOf);
  const [first = '', second = '', third = ''] = parts;
  switch (node.name) {
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'msup':
    case 'mover':
      return `${group(first)}^${group(second)}`;
    case 'msub':
    case 'munder':
      return `${group(first)}_${group(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${group(first)}_${group(second)}^${group(third)}`;
    case 'mfrac':
      return `\\frac{${first}}{${second}}`;
    case 'msqrt':
      return `\\sqrt{${parts.join('')}}`;
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`;
    case 'mtext':
      return ` ${parts.join('')} `;
    default:
      return parts.join('');
  }
}

function group(tex: string): string {
  return tex.length <= 1 ? tex : `{${tex}}`;
}
