// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** For text and attributes. Characters that XML cannot hold become U+FFFD; line breaks become references. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}

/** On one line, for titles and names. */
export function collapsedText(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
