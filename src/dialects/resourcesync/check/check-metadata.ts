import { documentText } from '../../../codecs/primitives/seen-document.ts';
import { addressOf, isElsewhere, type ListContext, type SeenList, shown, tellOf } from './list-context.ts';
import type { RawElement } from './raw-document.ts';
import type { SiteDocuments } from './site-documents.ts';

/** Any format is accepted: these are the words that JSON-LD, Dublin Core, HTML, Atom or VoID use. */
const TITLE = /\b(?:title|name|headline|label)\b/i;
const AUTHOR = /\b(?:author|creator|publisher|maker|contributor|owner|by)\b/i;
const MAX_CHARACTERS = 512 * 1024;

/** Checks that a `describedby` link leads to metadata of a site or a collection. */
export async function checkMetadata(
  list: SeenList,
  element: RawElement,
  clause: 'RS-S9' | 'RS-C6',
  { documents, context }: { readonly documents: Pick<SiteDocuments, 'ask'>; readonly context: ListContext },
): Promise<void> {
  const { line, written } = element;
  const tell = tellOf(list, context);
  const address = addressOf(element.attributes.get('href') ?? '');
  if (address === undefined) {
    const seen = `${shown(written)} has no absolute http(s) URL.`;
    tell(line, { clause, sort: 'href', seen, remedy: 'Write the whole address, from https:// on.' });
    return;
  }
  if (context.site === undefined || isElsewhere(address, context)) {
    context.ledger.remark(`${shown(address)} (describedby) is on another site and was not looked at.`);
    return;
  }
  const answer = await documents.ask(address);
  if (answer.kind === 'unread') return;
  context.ledger.looked(clause);
  if (answer.kind === 'absent') {
    const seen = `${shown(written)} leads to nothing. ${answer.seen}`;
    const remedy = 'Put a page or file there that gives title and author, or take the link out.';
    tell(line, { clause, sort: 'absent', seen, remedy });
    return;
  }
  const text = documentText(answer.document).text.slice(0, MAX_CHARACTERS);
  const lacks = [...(TITLE.test(text) ? [] : ['title']), ...(AUTHOR.test(text) ? [] : ['author'])];
  if (lacks.length === 2) {
    const seen = `${shown(answer.document.where)} seems to give neither title nor author.`;
    tell(line, {
      clause,
      sort: 'lacks',
      seen,
      remedy: 'Say there how the site or collection is called and whose it is.',
    });
  } else if (lacks.length === 1) {
    context.ledger.remark(`${shown(answer.document.where)} (describedby) seems to give no ${lacks[0]}.`);
  }
}
