import { attribute, elementText, type HtmlElement, type HtmlNode } from './html-tree.ts';

/** A formula of MathML as TeX: as the author wrote it where that is kept beside, else made from its parts. */
export function texOfMath(math: HtmlElement): string {
  const written = annotationIn(math);
  const tex = written === undefined ? texOf(math) : elementText(written);
  const [, inner] = /^\s*\{\\displaystyle\s+([\s\S]*)\}\s*$/.exec(tex) ?? [];
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
