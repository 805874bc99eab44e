import { hubsIn } from '../../../model/hub-path.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { counted, timeHtml } from '../../http/html-pieces.ts';
import type { ChangeFacts } from './change-facts.ts';
import { outside } from './change-line.ts';
import { noteSentences, usesWords } from './note-words.ts';

/** How somebody came to know of a change, in words. */
export function learnedHtml({ change }: ChangeFacts): Html {
  const { provenance, claimedTime, note, uses, checksum } = change;
  const { by, originId, claimed, published, extractor, readFrom, contentError, unchanged } = provenance;
  const hubs = hubsIn(provenance.via);
  return html`${noteSentences(note ?? '').map((sentence) => html`<p>${outsideText(sentence, 500)}</p>`)}
<dl class="facts">
<dt>Learned by</dt><dd>${howWords(by)}</dd>
${fact('Event of the feed', originId)}
${hubs.length === 0 ? NO_HTML : html`<dt>Came through</dt><dd>${counted(hubs.length, 'hub')}, first to last: ${outsideText(hubs.join(', '), 500)}</dd>`}
${claimedTime === undefined ? NO_HTML : html`<dt>Happened at</dt><dd>${timeHtml(Date.parse(claimedTime))} <span class="faint">says its origin</span></dd>`}
${claimed === undefined ? NO_HTML : html`<dt>Happened in</dt><dd>${outsideText(claimed)} <span class="faint">says its origin</span></dd>`}
${published === undefined ? NO_HTML : html`<dt>Published at</dt><dd>${outsideText(published)} <span class="faint">says the page</span></dd>`}
${fact('Signed by', signer(provenance))}
${typeof readFrom === 'string' ? html`<dt>Read from</dt><dd>${outside(readFrom)} <span class="faint">a fallback</span></dd>` : NO_HTML}
${contentError === undefined ? NO_HTML : html`<dt>Page</dt><dd>It could not be read when the feed told of it.</dd>`}
${unchanged === true ? html`<dt>Checksum</dt><dd>It is the one that was known already.</dd>` : fact('Checksum', checksum)}
${fact('Extractor', extractor)}
${uses === undefined ? NO_HTML : html`<dt>Terms of use</dt><dd>${usesWords(uses)} <span class="faint">says its publisher</span></dd>`}
</dl>`;
}

function fact(name: string, text: string | undefined, most = 200): Html {
  return text === undefined || text === '' ? NO_HTML : html`<dt>${name}</dt><dd>${outsideText(text, most)}</dd>`;
}

function howWords(by: string | undefined): Html {
  if (by === undefined) return html`That was not written down.`;
  if (by === 'compare') return html`The hub read the page twice and compared both readings, section by section.`;
  return html`A feed of the source said so: ${outsideText(by)}.`;
}

function signer({ verified, signer: name }: ChangeFacts['change']['provenance']): string | undefined {
  if (verified === undefined) return undefined;
  return verified === true ? `${name ?? 'a key that is not named'}; the signature was verified` : 'nobody';
}
