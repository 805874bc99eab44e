import { decodeAtomFeed } from '../../../codecs/atom/decode-feed.ts';
import { FEED_CLAUSE } from '../../../codecs/atom/decoded-feed.ts';
import { documentText } from '../../../codecs/primitives/seen-document.ts';
import { type ListContext, shown } from './list-context.ts';
import type { SiteDocuments } from './site-documents.ts';

const FEED = '/changes.atom';

/** Checks that the Atom feed, if there is one, can be read and that its entries have distinct ids. */
export async function checkAtom(documents: SiteDocuments, context: ListContext): Promise<void> {
  const { site, ledger } = context;
  const address = site === undefined ? FEED : new URL(`.${FEED}`, site).href;
  const answer = await documents.ask(address);
  if (answer.kind !== 'there') return;
  const { where } = answer.document;
  const { text, isUtf8 } = documentText(answer.document);
  const note = (sort: string, seen: string, remedy: string) =>
    ledger.note({ clause: FEED_CLAUSE, where, sort, seen, remedy });
  if (!isUtf8) note('utf-8', 'It is not UTF-8.', 'Save the feed as UTF-8.');
  const feed = decodeAtomFeed(text, { url: site === undefined ? undefined : address });
  if (!feed.ok) {
    note('form', feed.issues[0].message, 'Make it a well-formed Atom feed, or take it away.');
    return;
  }
  const { items, problems, id } = feed.value;
  if (id === undefined) note('id', 'The feed has no id.', 'Give it one that never changes, in <id>.');
  for (const problem of problems) note('problem', problem, 'Make it a valid Atom feed.');
  const ids = new Set<string>();
  for (const [at, item] of items.entries()) {
    const which = `Entry ${at + 1} (${shown(item.title ?? 'without a title')})`;
    if (item.isIdMade) note('no id', `${which} has no id.`, 'Give it one that never changes, in <id>.');
    if (ids.has(item.id)) note('twice', `${which} has the id of another: ${shown(item.id)}.`, 'Ids are unique.');
    if (item.updatedMs === undefined) note('updated', `${which} has no time in <updated>.`, 'Say when it was written.');
    ids.add(item.id);
  }
}
