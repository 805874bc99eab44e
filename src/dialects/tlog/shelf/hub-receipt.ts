import { encodeReceipt } from '../../../codecs/tlog/receipt.ts';
import { receiptPendingError } from '../../../errors/receipt-error.ts';
import { noSuchChangeError } from '../../../errors/refusals.ts';
import { withProblems } from '../../../hub/http/api-problems.ts';
import type { Route } from '../../../hub/http/route.ts';
import type { Change } from '../../../model/change.ts';
import { NOTE_CRYPTO } from '../../../surface/note-crypto.ts';
import { textsOf } from '../../../tlog/entry-of-change.ts';
import { ProvableLog } from '../../../tlog/provable-log.ts';
import { unpackSalts } from './packed-salts.ts';
import { placeOfId, type StoreEntriesParts, storedEntry } from './store-entries.ts';
import { storeTiles } from './store-tiles.ts';

export interface HubReceiptParts extends StoreEntriesParts {
  /** The log behind that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The receipt of a change, with the texts that are still there. Throws where there is no such change, and where no checkpoint covers it yet. */
async function hubReceipt(id: string, parts: HubReceiptParts): Promise<string> {
  const { store, gunzip } = parts;
  const place = await placeOfId(id, { store, gunzip, seqOf: async () => undefined });
  const bytes = place && (await storedEntry(place, parts));
  if (place === undefined || bytes === undefined) throw noSuchChangeError(id);
  const log = await ProvableLog.open(storeTiles({ store, log: place.log, gunzip }), NOTE_CRYPTO.verifySignature);
  if (log === undefined || place.entry >= log.tree.size) throw receiptPendingError(id);
  const change = await changeAt(place.seq, parts);
  const salts = unpackSalts(place.salts);
  const texts = change?.id === id && salts !== undefined ? textsOf({ ...change, salts }) : {};
  return encodeReceipt(await log.receiptOf({ index: place.entry, bytes }, texts));
}

export function receiptRoute(parts: HubReceiptParts): Route {
  return {
    method: 'GET',
    path: '/api/v1/changes/:id/receipt',
    access: 'open',
    cors: true,
    isMetered: true,
    summary: 'A receipt for a change: its entry in the provable log, its texts, and what proves both.',
    parameters: [
      { name: 'id', in: 'path', required: true, description: 'The id of the change.', schema: { type: 'string' } },
    ],
    responses: {
      200: 'The receipt. /verify checks it, and so does "tidings verify-receipt".',
      404: 'There is no such change, or it is older than the provable log.',
      503: 'No signed checkpoint covers it yet: some seconds later one does.',
    },
    answer: { mediaType: JSON_TYPE },
    handle: withProblems(async ({ params }) => ({
      status: 200,
      headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-cache' },
      body: await hubReceipt(params.id ?? '', parts),
    })),
  };
}

/** Undefined where retention took it from the log: the entry stays. */
async function changeAt(seq: number, { readChanges }: HubReceiptParts): Promise<Change | undefined> {
  for await (const change of readChanges(seq - 1)) return change.seq === seq ? change : undefined;
  return undefined;
}
