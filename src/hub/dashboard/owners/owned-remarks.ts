import { type Html, html, outsideText } from '../../http/html.ts';
import type { SourceLine } from '../sources/source-line.ts';

const MAX_REMARK = 300;

/** What a person should know of a source. */
export function sourceRemarks({ remarks }: SourceLine): readonly Html[] {
  return remarks.map((remark) => html`<p class="faint">${outsideText(remark, MAX_REMARK)}</p>`);
}
