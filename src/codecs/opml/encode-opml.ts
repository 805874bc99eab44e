import type { OpmlOutline } from './opml.ts';

/** A flat list. Characters that XML 1.0 forbids are left out; those that a terminal would act on become references. */
export function encodeOpml(title: string, outlines: readonly Omit<OpmlOutline, 'line'>[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0">',
    `  <head><title>${escapeXml(title)}</title></head>`,
    '  <body>',
    ...outlines.map((outline) => `    <outline${attributesOf(outline)}/>`),
    '  </body>',
    '</opml>',
    '',
  ].join('\n');
}

function attributesOf({ text = '', type, xmlUrl, htmlUrl }: Omit<OpmlOutline, 'line'>): string {
  const pairs = Object.entries({ text, type, xmlUrl, htmlUrl });
  return pairs.map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeXml(value)}"`)).join('');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;
/** Markup, line breaks that an attribute would lose, and characters that control a terminal or the text direction. */
const REFERENCED = /[<>&"\t\n\r\u007f-\u009f]|\p{Cf}/gu;

function escapeXml(text: string): string {
  return text.replace(NOT_XML, '').replace(REFERENCED, (character) => `&#${character.codePointAt(0)};`);
}
