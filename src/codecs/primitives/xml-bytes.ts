import { decodeBytes, decodeLossily, encodingOf, isKnownEncoding, startOf } from './text-encoding.ts';

/** Longer than any XML declaration. */
const DECLARATION_BYTES = 200;
const DECLARATION = /^(?:\u00EF\u00BB\u00BF)?\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i;

/**
 * The bytes of a foreign XML document, such as a feed or a sitemap, as text without the BOM. The encoding is that of the BOM, else
 * of the server if it fits, else of the XML declaration, else UTF-8 (RFC 7303 §3). Invalid bytes become U+FFFD, which marks the
 * text that holds them.
 */
export function decodeXmlBytes(bytes: Uint8Array, charset?: string): string {
  const declared = xmlEncodingIn(startOf(bytes, DECLARATION_BYTES));
  const named = encodingOf(bytes, { charset, declared: known(declared) }) ?? 'utf-8';
  const text = decodeBytes(bytes, named);
  return text ?? decodeLossily(bytes, encodingOf(bytes, { declared: known(declared) }) ?? 'utf-8');
}

/** The label in an XML declaration. */
export function xmlEncodingIn(start: string): string | undefined {
  return DECLARATION.exec(start)?.[1];
}

function known(label: string | undefined): string | undefined {
  return label !== undefined && (isKnownEncoding(label) || /^x-user-defined$/i.test(label)) ? label : undefined;
}
