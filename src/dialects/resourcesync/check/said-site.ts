import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { readRawDocument } from './raw-document.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_ADDRESSES = 1000;

/** The site of a document that is not served: the origin of most of its addresses. Undefined if it has none. */
export function saidSite(bytes: Uint8Array): URL | undefined {
  const said: string[] = [];
  const add = (text: string | undefined) => {
    if (text !== undefined && said.length < MAX_ADDRESSES && /^https?:/i.test(text) && canParseUrl(text)) {
      said.push(new URL(text).origin);
    }
  };
  const { head } = readRawDocument(new TextDecoder().decode(bytes.subarray(0, MAX_BYTES)), ({ locs, lns }) => {
    add(locs[0]?.text);
    for (const { attributes } of lns.slice(0, 5)) add(attributes.get('href'));
  });
  for (const { attributes } of head?.lns.slice(0, 5) ?? []) add(attributes.get('href'));
  const count = (origin: string) => said.filter((each) => each === origin).length;
  const [first] = [...new Set(said)].toSorted((left, right) => count(right) - count(left));
  return first === undefined ? undefined : new URL(first);
}
