import type { Ledger } from '../primitives/ledger.ts';
import { isFound } from '../primitives/seen-document.ts';
import { type ReadDocument, readChecked } from './check-document.ts';
import { checkStop, checkTimes, isSameCursor } from './check-stop.ts';
import { valueInMessage } from './read-object.ts';
import { feedFactsOf, type SeenSource } from './seen.ts';

const FIELDS = ['cursor', 'prev_cursor', 'changed', 'generated_at', 'ttl_sec', 'latest_url'];
const MAX_HEAD_BYTES = 1024;
const CLAUSES = { place: 'DD-R2', form: 'DD-H1', name: 'head' };

/** Checks that a head is small, complete, and consistent with the feed that it points to. */
export function checkHead(seen: SeenSource, ledger: Ledger): void {
  if (seen.head === undefined) return;
  // A head of all sources is an extra (T-DD-22).
  if (seen.id === undefined && !isFound(seen.head)) return;
  const read = readChecked(seen.head, CLAUSES, ledger);
  if (seen.id !== undefined) noteListed(seen.id, seen.head.where, isFound(seen.head), ledger);
  if (read === undefined) return;
  const { where, fields } = read;
  ledger.looked('DD-H1', 'DD-H2');
  for (const key of FIELDS.filter((name) => !Object.hasOwn(fields, name))) {
    ledger.note({
      clause: 'DD-H1',
      where,
      seen: `It has no \`${key}\`.`,
      remedy: `Write all of ${FIELDS.join(', ')}.`,
    });
  }
  if (Object.hasOwn(fields, 'latest_url') && (typeof fields.latest_url !== 'string' || fields.latest_url === '')) {
    const seenUrl = `\`latest_url\` is ${valueInMessage(fields.latest_url)}.`;
    ledger.note({ clause: 'DD-H1', where, seen: seenUrl, remedy: 'Write the address of the feed as a text.' });
  }
  checkStop(where, fields, ledger);
  checkTimes(where, fields, ledger);
  checkSize(read, ledger);
  checkLead(read, seen, ledger);
}

function noteListed(id: string, where: string, isThere: boolean, ledger: Ledger): void {
  ledger.looked('DD-D5');
  if (isThere) return;
  const seen = `The source ${valueInMessage(id)} is listed, but its head cannot be read.`;
  ledger.note({ clause: 'DD-D5', where, seen, remedy: 'List the sources that are served, and no others.' });
}

function checkSize({ where, text, fields }: ReadDocument, ledger: Ledger): void {
  const heavy = ['buckets', 'items', 'sources'].filter((key) => Object.hasOwn(fields, key));
  if (heavy.length > 0) {
    ledger.note({
      clause: 'DD-H2',
      where,
      seen: `It holds \`${heavy.join('`, `')}\`: clients read the head to be spared that.`,
      remedy: 'Leave it to the feed.',
    });
  }
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= MAX_HEAD_BYTES) return;
  const seen = `It has ${bytes} bytes; a head needs a few hundred.`;
  ledger.note({ clause: 'DD-H2', level: 'SHOULD', where, seen, remedy: 'Leave out what no client decides by.' });
}

function checkLead({ where, fields }: ReadDocument, { latest, strangers }: SeenSource, ledger: Ledger): void {
  ledger.looked('DD-H3');
  const stranger = strangers.latest_url;
  if (stranger !== undefined) {
    ledger.note({
      clause: 'DD-H3',
      where,
      seen: `\`latest_url\` leads to another origin, ${stranger}: clients do not follow, for their key would go there.`,
      remedy: 'Serve the feed beside its head and name it by its path.',
    });
    return;
  }
  if (latest === undefined) return;
  if (!isFound(latest)) {
    const what = latest.kind === 'unread' ? latest.failure : `It answers with status ${latest.status}.`;
    const seen = `\`latest_url\` leads to ${latest.where}. ${what}`;
    ledger.note({ clause: 'DD-H3', where, seen, remedy: 'Name the address of the feed.' });
    return;
  }
  const facts = feedFactsOf(latest);
  if (facts === undefined || isSameCursor(facts.cursor, fields.cursor)) return;
  ledger.note({
    clause: 'DD-H3',
    where,
    seen: `Its cursor is ${valueInMessage(fields.cursor)}, that of ${latest.where} is ${valueInMessage(facts.cursor)}, also when asked again.`,
    remedy: 'Replace head and feed together.',
  });
}
