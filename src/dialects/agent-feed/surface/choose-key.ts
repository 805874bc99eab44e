import { hasOtherKey } from '../../../codecs/agent-feed/encode-did.ts';
import { SurfaceRefusedError } from '../../../errors/surface-error.ts';
import type { SigningKey, SigningKeys } from './signing-keys.ts';
import type { KeyLine, SurfaceRecord } from './surface-record.ts';

export interface ChosenKey {
  /** The DID URL of the key that signs. */
  readonly signer: string;
  readonly seed: string;
  /** Keys that the record does not have yet. */
  readonly lines: readonly KeyLine[];
}

export interface KeyChoice {
  readonly did: string;
  readonly time: string;
  readonly force: boolean;
  /** The text of the existing did.json. */
  readonly document: string | undefined;
}

/** The key that signs for a site. Keys change only by rotation, because an id must mean one key forever. */
export function chooseKey(record: SurfaceRecord, { keys }: SigningKeys, choice: KeyChoice): ChosenKey {
  const { time, force } = choice;
  const names = nameKeys(record, keys, choice);
  const known = new Map(record.keys.map(({ id, publicKey }) => [id, publicKey]));
  const nameOf = ({ id }: SigningKey) => names.get(id) ?? '';
  const own = keys.map((key): KeyLine => ({ kind: 'key', id: nameOf(key), publicKey: key.publicKey, time }));
  const isOurs = own.some(({ id }) => known.has(id));
  if (known.size > 0 && !isOurs && !force) {
    const clash = keys.map(({ id }) => `${choice.did}#${id}`).find((id) => known.has(id));
    const how = clash === undefined ? '' : ` It has another key as ${clash} than the one that signed so far.`;
    throw refused(
      `the feed of this site is signed with other keys (${[...known.keys()].join(', ')}).${how} Use their key file; --force goes on with this one beside them.`,
    );
  }
  const withdrawn = new Set(keys.filter(({ revoked }) => revoked).map(nameOf));
  const lines = own.filter(({ id }) => !known.has(id) && !withdrawn.has(id));
  const signing = keys.findLast(({ seed }) => seed !== undefined);
  if (signing?.seed === undefined) throw refused('all of its keys are retired. Add one with "tidings keys rotate".');
  const signer = nameOf(signing);
  if (record.revoked.has(signer)) throw refused(`${signer} is revoked. Use the key file as it is after the rotation.`);
  const newest = [...record.keys, ...lines].at(-1)?.id;
  if (newest !== signer && !force) {
    throw refused(`${signer} is retired: the site is at ${newest}. Use the key file as it is after the rotation.`);
  }
  return { signer, seed: signing.seed, lines };
}

/**
 * The DID URL of each key, by its id in the key file. A published key keeps its DID URL. A new key gets its own id, or the next
 * free one if did.json or the record already uses that.
 */
export function nameKeys(
  record: SurfaceRecord,
  keys: readonly SigningKey[],
  { did, document }: Pick<KeyChoice, 'did' | 'document'>,
): ReadonlyMap<string, string> {
  const published = new Map(record.keys.map(({ id, publicKey }) => [publicKey, id]));
  const taken = new Map(record.keys.map(({ id, publicKey }) => [id, publicKey]));
  return new Map(keys.map((key) => [key.id, published.get(key.publicKey) ?? freeName(key)]));

  function freeName({ id, publicKey }: SigningKey): string {
    for (let count = 0; ; count += 1) {
      const name = `${did}#${count === 0 ? '' : 'tidings-'}${id}${count < 2 ? '' : `-${count}`}`;
      const isTaken =
        taken.has(name) || (document !== undefined && hasOtherKey(did, { id: name, publicKey }, document));
      if (isTaken) continue;
      taken.set(name, publicKey);
      return name;
    }
  }
}

function refused(why: string): SurfaceRefusedError {
  return new SurfaceRefusedError('The key file', why);
}
