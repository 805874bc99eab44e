import type { HtmlElement } from './html-tree.ts';

/** The types of MathJax scripts with a formula. */
const TEX_TYPE = /^\s*math\/tex\s*(?:;\s*mode\s*=\s*(display)\s*)?(?:;|$)/i;
/** What kramdown puts around a formula for XHTML. The parser may have changed its second letter. */
const CDATA = /^\s*%\s*<!.CDATA\[|%\s*\]\]>\s*$/g;
/** How far before its script the drawing of a formula may be: the drawing, a preview, and white space. */
const NODES_BEFORE = 4;

/** `<script type="math/tex">`: its formula is text of the page. */
export function isTexScript(type: string | undefined): boolean {
  return type !== undefined && TEX_TYPE.test(type);
}

/** Appends a formula to `parent` in the form of MathML, in place of what a script has already drawn for it. */
export function putFormula(parent: HtmlElement, script: ReadonlyMap<string, string>, tex: string): void {
  const id = script.get('id');
  if (id !== undefined && id !== '') dropDrawing(parent, `${id}-Frame`);
  const isBlock = TEX_TYPE.exec(script.get('type') ?? '')?.[1] !== undefined;
  const attributes = new Map(isBlock ? [['display', 'block']] : []);
  const math: HtmlElement = { name: 'math', attributes, children: [], parent };
  const encoding = new Map([['encoding', 'application/x-tex']]);
  math.children.push({ name: 'annotation', attributes: encoding, children: [tex.replace(CDATA, '')], parent: math });
  parent.children.push(math);
}

function dropDrawing({ children }: HtmlElement, frame: string): void {
  for (let step = 0; step < NODES_BEFORE; step += 1) {
    const at = children.length - 1;
    const last = children[at];
    if (last === undefined || (typeof last === 'string' && last.trim() !== '')) return;
    if (typeof last !== 'string' && !isDrawing(last, frame)) return;
    children.length = at;
  }
}

function isDrawing(element: HtmlElement, frame: string): boolean {
  if (element.attributes.get('id') === frame) return true;
  if (/(?:^|\s)MathJax_Preview(?:\s|$)/.test(element.attributes.get('class') ?? '')) return true;
  return element.children.some((child) => typeof child !== 'string' && child.attributes.get('id') === frame);
}
