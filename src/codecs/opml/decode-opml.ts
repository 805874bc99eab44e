import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { OPML_LIMITS, type OpmlOutline } from './opml.ts';

/** Thrown to leave the parser. */
class Stop extends Error {}

/** The parser gets this much at a time, so that it never sees what it should not read. */
const PIECE = 64 * 1024;
/** Some readers write `?a=1&b=2`, which is not valid XML. */
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)/g;
/** A DOCTYPE may only precede the first element. */
const PROLOG = /^[^<]*(?:<[!?][^<]*)*/;

/**
 * Every outline with an address, in file order, including those in nested folders. A file that is not well formed is refused as a
 * whole.
 */
export function decodeOpml(xml: string): Result<readonly OpmlOutline[]> {
  if (/<!DOCTYPE/i.test(PROLOG.exec(xml)?.[0] ?? ''))
    return refuse('OPML-FORM', 'It has a DOCTYPE, which is not read.');
  const parser = new SaxesParser({ xmlns: false, position: true });
  const outlines: OpmlOutline[] = [];
  let depth = 0;
  let attributes = 0;
  let line = 1;
  let bodyDepth = 0;

  const stop = (message: string) => {
    throw new Stop(`Line ${parser.line}: ${message}`);
  };
  parser.on('error', (error) => stop(`it is not well-formed XML (${error.message.replace(/^[\d:]+ /, '')}).`));
  parser.on('doctype', () => stop('it has a DOCTYPE, which is not read.'));
  parser.on('opentagstart', () => {
    depth += 1;
    attributes = 0;
    line = parser.line;
    if (depth > OPML_LIMITS.depth) stop(`it is nested deeper than ${OPML_LIMITS.depth}.`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > OPML_LIMITS.attributes) stop(`an element has more than ${OPML_LIMITS.attributes} attributes.`);
  });
  parser.on('opentag', (tag) => {
    const name = tag.name.toLowerCase();
    if (depth === 1 && name !== 'opml') stop(`it is XML about "${tag.name.slice(0, 50)}", not OPML.`);
    if (depth === 2 && name === 'body') bodyDepth = depth;
    if (bodyDepth === 0 || name !== 'outline') return;
    const outline = outlineOf(tag, line);
    if (outline !== undefined) outlines.push(outline);
    if (outlines.length > OPML_LIMITS.outlines) stop(`it has more than ${OPML_LIMITS.outlines} outlines.`);
  });
  parser.on('closetag', () => {
    if (depth === bodyDepth) bodyDepth = 0;
    depth -= 1;
  });

  try {
    const whole = xml.replace(BARE_AMPERSAND, '&amp;');
    for (let at = 0; at < whole.length; at += PIECE) parser.write(whole.slice(at, at + PIECE));
    parser.close();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return refuse('OPML-FORM', error.message);
  }
  return accept(outlines);
}

/** Undefined for a folder, which has no address. */
function outlineOf({ attributes }: SaxesTagPlain, line: number): OpmlOutline | undefined {
  const values = new Map(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const valueAt = (name: string) => values.get(name) || undefined;
  const type = valueAt('type');
  const text = valueAt('title') ?? valueAt('text');
  const xmlUrl = valueAt('xmlurl');
  const htmlUrl = valueAt('htmlurl') ?? (type?.toLowerCase() === 'link' ? valueAt('url') : undefined);
  if (xmlUrl === undefined && htmlUrl === undefined) return undefined;
  return {
    line,
    ...(text !== undefined && { text }),
    ...(type !== undefined && { type }),
    ...(xmlUrl !== undefined && { xmlUrl }),
    ...(htmlUrl !== undefined && { htmlUrl }),
  };
}
