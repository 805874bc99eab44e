const BARE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)/;
const BARE_ALL = new RegExp(BARE, 'g');
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

/** Many sitemaps write `?a=1&b=2`, which is not valid XML; this makes it `?a=1&amp;b=2`. CDATA sections stay unchanged. */
export function escapeBareAmpersands(xml: string): string {
  if (!BARE.test(xml)) return xml;
  let escaped = '';
  let at = 0;
  while (at < xml.length) {
    const section = xml.indexOf(CDATA, at);
    const end = section === -1 ? xml.length : section;
    escaped += xml.slice(at, end).replace(BARE_ALL, '&amp;');
    if (section === -1) break;
    const close = xml.indexOf(CDATA_END, section);
    at = close === -1 ? xml.length : close + CDATA_END.length;
    escaped += xml.slice(section, at);
  }
  return escaped;
}
