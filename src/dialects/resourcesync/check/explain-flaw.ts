import { FORM } from '../../../codecs/resourcesync/issue.ts';
import { RS_NAMESPACE, SITEMAP_NAMESPACE, XLINK_NAMESPACE } from '../../../codecs/resourcesync/wire.ts';
import type { ListKind } from './list-kind.ts';
import type { RawFlaw } from './raw-document.ts';

const HTML = /^[\ufeff\s]*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)[\s>]/i;

interface Explanation {
  readonly clause?: string;
  /** Set if the cause is in another line than the one where reading ended. */
  readonly line?: number;
  readonly seen: string;
  readonly remedy: string;
}

/** Explains what is wrong with a text that is not an XML document, and what to do. */
export function explainFlaw({ message, line }: RawFlaw, text: string, { title }: ListKind): Explanation {
  if (HTML.test(text.slice(0, 1000))) {
    const remedy = `Serve the XML of the ${title} there; servers often answer with a page where a file is missing.`;
    return { line: 1, seen: 'It is an HTML page and no XML document.', remedy };
  }
  if (text.trim() === '') return { line: 1, seen: 'It is empty.', remedy: `Write a ${title} there.` };
  if (!/^[\ufeff\s]*</.test(text.slice(0, 1000))) {
    const remedy = `Write a ${title} there, with the root <urlset xmlns="${SITEMAP_NAMESPACE}" …>.`;
    return { line: 1, seen: 'It is no XML.', remedy };
  }
  const ampersand = bareAmpersand(text);
  if (ampersand !== undefined && ampersand <= line) {
    const seen = `It is not well-formed XML: there is an & that begins nothing. There stands: ${quotedLine(text, ampersand)}`;
    return { line: ampersand, seen, remedy: 'Write &amp; for every &, also in addresses.' };
  }
  const quoted = quotedLine(text, line);
  const seen = quoted === '' ? message : `${message} There stands: ${quoted}`;
  const undeclared = /the prefix "([^"]+)" is not declared/.exec(message)?.[1];
  if (undeclared !== undefined) {
    const uri = undeclared === 'xlink' ? XLINK_NAMESPACE : RS_NAMESPACE;
    return { clause: 'RS-S2', seen, remedy: `Add xmlns:${undeclared}="${uri}" to the first element.` };
  }
  if (/DOCTYPE/.test(message)) return { clause: FORM, seen, remedy: 'Take the DOCTYPE out: readers refuse it.' };
  if (/only UTF-8/.test(message)) {
    return { clause: FORM, seen, remedy: 'Save it as UTF-8, and write <?xml version="1.0" encoding="UTF-8"?>' };
  }
  return { seen, remedy: 'Make it well-formed XML: what stands there, or shortly before, is where it ceases to be.' };
}

const REFERENCE = /^&(?:#\d+|#x[\da-f]+|[\w.-]+);/i;
const MAX_REFERENCE = 64;

/** The line of an & that begins no reference. Comments and CDATA are skipped. */
function bareAmpersand(text: string): number | undefined {
  const opening = /<!--|<!\[CDATA\[|&/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const { 0: found, index } = match;
    if (found === '&') {
      if (!REFERENCE.test(text.slice(index, index + MAX_REFERENCE))) return lineAt(text, index);
      continue;
    }
    const end = text.indexOf(found === '<!--' ? '-->' : ']]>', index);
    if (end === -1) return undefined;
    opening.lastIndex = end;
  }
  return undefined;
}

const MAX_QUOTED = 120;

function quotedLine(text: string, line: number): string {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return '';
    start = end + 1;
  }
  const quoted = text.slice(start, start + 10 * MAX_QUOTED).split(/[\r\n]/, 1)[0] ?? '';
  return quoted.trim().slice(0, MAX_QUOTED).toWellFormed();
}

/** The line of a character, counted from 1. */
export function lineAt(text: string, at: number): number {
  return (text.slice(0, at).match(/\r\n?|\n/g)?.length ?? 0) + 1;
}
