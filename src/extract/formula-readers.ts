import { attribute, type HtmlElement } from './html-tree.ts';
import type { SectionReader } from './section-reader.ts';
import { texBetweenSigns, texOfMath } from './tex-of-math.ts';

export function readMath(reader: SectionReader, math: HtmlElement): void {
  const tex = texOfMath(math);
  reader.compareOnly(() => reader.read(math));
  if (tex === '') return;
  writeFormula(reader, tex, attribute(math, 'display') === 'block');
}

export function writeFormula(reader: SectionReader, tex: string, isBlock: boolean): void {
  reader.markdown.inline(isBlock ? `$$${tex}$$` : `$${tex}$`);
}

/** Reads styled words, or a formula between the delimiters of MathJax and KaTeX. */
export function readSpan(reader: SectionReader, span: HtmlElement): void {
  const formula = texBetweenSigns(span);
  if (formula === undefined) reader.read(span);
  else {
    reader.compareOnly(() => reader.read(span));
    writeFormula(reader, formula.tex, formula.isBlock);
  }
}
