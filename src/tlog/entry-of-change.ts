import { earlierLine, encodeEntry } from '../codecs/tlog/encode-entry.ts';
import type { ChangeLogEntry } from '../codecs/tlog/entry.ts';
import { hashTexts, type SaltedText, type SaltedTexts } from '../codecs/tlog/hashed-text.ts';
import type { Change } from '../model/change.ts';
import { sha256 } from './sha256.ts';
import { SALTED_FIELDS } from './with-salts.ts';

/** A change as an entry of the provable log, with salted hashes of its texts. A text without a salt is omitted. */
export function logEntryOf(change: Change): ChangeLogEntry {
  return { ...plainEntry(change), hashed: hashTexts(textsOf(change), sha256) };
}

/** The bytes of the entry as in the log. */
export function changeEntryBytes(change: Change): Uint8Array {
  return encodeEntry(logEntryOf(change), sha256);
}

/** The texts of a change that accompany its entry, each with its salt. */
export function textsOf(change: Change): SaltedTexts {
  return Object.fromEntries(
    SALTED_FIELDS.flatMap((field): [string, SaltedText][] => {
      const [text, salt] = [change[field], change.salts?.[field]];
      return text === undefined || salt === undefined ? [] : [[field, { salt, text }]];
    }),
  );
}

/**
 * What the first entry of a log commits to for an earlier change: everything that an entry would contain except its texts, which have no salts and
 * must stay erasable.
 */
export function lineOfEarlier(change: Change): string {
  return earlierLine(plainEntry(change));
}

function plainEntry(change: Change): ChangeLogEntry {
  const { id, seq, source, kind, action, url, anchor, time, checksum } = change;
  const { by } = change.provenance;
  return {
    ...{ v: 1, type: 'change', id, seq, source, kind, action, url, time },
    ...(anchor !== undefined && { anchor }),
    ...(checksum !== undefined && { checksum }),
    provenance: by === undefined ? {} : { by },
    hashed: {},
  };
}
