import type { EntryText, LogEntry } from './entry.ts';
import type { ProvenReceipt } from './verify-receipt.ts';

/** What a receipt has proven, for people. Parts of it come from outside: show them as text. */
export interface ReceiptWords {
  /** `consistent`: only with itself, because nobody vouches for the key. */
  readonly is: 'proven' | 'consistent';
  readonly sentence: string;
}

/** One sentence that claims no more than was shown. */
export function receiptWords(proven: ProvenReceipt): ReceiptWords {
  const { signer, key, index, checkpoint, issue } = proven;
  const place = `entry ${index} of the log ${checkpoint.origin}, which had ${checkpoint.treeSize} entries then`;
  const said =
    proven.entry === undefined ? 'is none that is understood here, but stands there as it is' : saidBy(proven);
  const flaw = issue === undefined ? '' : ` (${issue.message.replace(/\.$/, '')})`;
  if (signer === 'trusted') {
    return {
      is: 'proven',
      sentence: `Proven, under the key ${key.name}+${key.keyId} that you trust: ${place}, ${said}${flaw}.`,
    };
  }
  const warning =
    'The signer was taken from the receipt and checked against nothing: give the key of the log that you trust';
  return {
    is: 'consistent',
    sentence: `Consistent with itself: ${place}, ${said}${flaw}. ${warning}.`,
  };
}

/** What the entry of a receipt says, line by line. */
export function provenFacts({
  entry,
  checkpoint,
  index,
  key,
  texts,
}: ProvenReceipt): readonly (readonly [string, string])[] {
  const facts: [string, string][] = [
    ['Log', checkpoint.origin],
    ['Key', `${key.name}+${key.keyId}`],
    ['Entry', `${index} of ${checkpoint.treeSize}`],
  ];
  if (entry?.type === 'change') {
    const { id, action, url, anchor, time, source, checksum } = entry;
    facts.push(['Change', `${id} (${action})`], ['Page', textOf(url)]);
    if (anchor !== undefined) facts.push(['Section', textOf(anchor)]);
    facts.push(['Learned', time], ['Source', textOf(source)]);
    if (checksum !== undefined) facts.push(['Checksum of the content', checksum]);
    for (const [field, state] of texts)
      if (state === 'redacted') facts.push([`Text "${field}"`, 'was taken out, or is not in this receipt']);
  }
  return facts;
}

function saidBy(proven: ProvenReceipt): string {
  const { entry, texts } = proven;
  if (entry === undefined) return '';
  if (entry.type !== 'change') return otherWords(entry);
  const section = entry.anchor === undefined ? '' : `#${textOf(entry.anchor)}`;
  const shown = [...texts].flatMap(([field, state]) => (state === 'proven' ? [field] : []));
  const gone = [...texts].flatMap(([field, state]) => (state === 'redacted' ? [field] : []));
  const withTexts = shown.length === 0 ? '' : `, with its ${listed(shown)} as given in this receipt`;
  const without = gone.length === 0 ? '' : `, without its ${listed(gone)}`;
  return `says that ${textOf(entry.url)}${section} had the change "${entry.action}", learned at ${entry.time}${withTexts}${without}`;
}

function otherWords(entry: Exclude<LogEntry, { type: 'change' }>): string {
  switch (entry.type) {
    case 'begin':
      return `begins the log at ${entry.time}, behind ${entry.count} earlier changes`;
    case 'checked':
      return `says that ${entry.count} sources were looked at from ${entry.since} to ${entry.time} and had not changed`;
    case 'artifact':
      return `says that the file ${textOf(entry.path)} had the SHA-256 ${entry.sha256}`;
    case 'redacted':
      return `says that ${listed(entry.fields)} of the change ${entry.id} were taken out at ${entry.time}`;
  }
}

function textOf(text: EntryText): string {
  return typeof text === 'string' ? text : `(the text with the SHA-256 ${text.sha256})`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
