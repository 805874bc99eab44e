import type { Capability } from '../../../codecs/resourcesync/wire.ts';
import { isSameAddress } from './check-description.ts';
import { checkLink } from './check-link.ts';
import {
  addressOf,
  correction,
  isElsewhere,
  type ListContext,
  type SeenList,
  shown,
  tellOf,
  withAttribute,
} from './list-context.ts';
import { readRawDocument } from './raw-document.ts';
import type { SiteDocuments } from './site-documents.ts';

export interface Above {
  /** The documents that a link upwards may lead to, the best one first. */
  readonly parents: readonly Pick<SeenList, 'url' | 'where'>[];
  readonly capability: Capability;
  /** The name of such a document in messages. */
  readonly title: string;
  /** The clauses for a missing link, and for a link that does not lead back. */
  readonly clauses: readonly [missing: string, wrong: string];
}

const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Checks that a document links back to the one that lists it, or to another one that does.
 *
 * In the example of IFCC-0001, the Source Description has another address than the one where it is found.
 */
export async function checkUp(
  list: SeenList,
  { parents, capability, title, clauses: [missing, wrong] }: Above,
  { documents, context }: { readonly documents: Pick<SiteDocuments, 'ask'>; readonly context: ListContext },
): Promise<void> {
  const tell = tellOf(list, context);
  const [parent] = parents;
  const { root, lns } = list.head;
  const look = (clause: string) => context.ledger.looked(...(/^RS-/.test(clause) ? [clause] : []));
  look(missing);
  const link = checkLink({ ...root, lns }, { rel: 'up', clause: missing, expected: parent?.url }, tell);
  const isRight = link !== undefined && parents.some(({ url }) => isSameAddress(url, link.address));
  if (isRight) look(wrong);
  if (link === undefined || isRight) return;
  const { element, address } = link;
  const refuse = (why: string) => {
    const right = parent === undefined ? undefined : withAttribute(element, 'href', parent.url);
    const seen = `${shown(element.written)} ${why}`;
    tell(element.line, { clause: wrong, sort: 'up', seen, remedy: correction(right, `It leads to the ${title}.`) });
  };
  if (isElsewhere(address, context)) return refuse('leads to another site.');
  const answer = await documents.ask(address);
  if (answer.kind === 'unread') return;
  look(wrong);
  if (answer.kind === 'absent') return refuse(`does not lead back to the ${title}. ${answer.seen}`);
  const { where, servedBy = where, bytes } = answer.document;
  if (parents.some((each) => each.where === where || each.where === servedBy)) return;
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_CHARACTERS));
  let isListed = false;
  const own = addressOf(list.url);
  const { head } = readRawDocument(text, ({ locs: [loc] }) => {
    isListed ||= loc !== undefined && addressOf(loc.text) === own;
  });
  if (head?.mds[0]?.attributes.get('capability') !== capability) return refuse(`does not lead to a ${title}.`);
  if (!isListed) refuse(`leads to a ${title} that does not list this document.`);
}
