import { LOG_PREFIX } from '../../../codecs/tlog/log-origin.ts';
import { type ShelfKind, type ShelfLinks, shelfOf } from '../../shelf.ts';
import { HubReceipts } from './hub-receipts.ts';
import { receiptRoute } from './receipt-route.ts';
import { storeTiles } from './store-tiles.ts';
import { TlogDocuments } from './tlog-documents.ts';
import { exportTlog } from './tlog-export.ts';
import { createLogSigner } from './tlog-key.ts';
import { tlogRoutes } from './tlog-routes.ts';
import { openTlogShelf } from './tlog-shelf.ts';
import { TLOG_PLACE } from './tlog-store.ts';

const LINKS: ShelfLinks = {
  feeds: [
    [
      { words: 'The provable log', path: `${LOG_PREFIX}/checkpoint` },
      { words: 'its key', path: `${LOG_PREFIX}/vkey` },
    ],
  ],
};

/**
 * The provable log of a hub. It commits to every change, every check without news, and every document that says more than the log
 * of changes.
 */
export const TLOG_SHELF: ShelfKind = {
  async open(world) {
    const place = TLOG_PLACE.open(world.storage);
    if (place === undefined) throw new Error('There is no place for the provable log.');
    const { store, random, gunzip, cosignNote } = place;
    const tlog = await openTlogShelf({
      ...world,
      store,
      random,
      signer: createLogSigner(),
      documentsSince: world.documentsSince ?? nothing,
      documentsNaming: world.documentsNaming ?? nothing,
      documentsSeq: world.documentsSeq ?? (() => Number.POSITIVE_INFINITY),
      relay: world.steps?.('tlog'),
      ...(cosignNote && {
        cosign: (note, log, signal) => cosignNote(note, storeTiles({ store, log, gunzip }), signal),
      }),
    });
    const documents = new TlogDocuments({ store, record: () => tlog.record, gzip: world.gzip, gunzip });
    const receipts = new HubReceipts({ store, gunzip, readChanges: world.readChanges });
    return shelfOf(tlog, {
      links: LINKS,
      receipts,
      restate: (ids) => tlog.restate(ids),
      redact: (redaction) => tlog.redact(redaction),
      routes: () => [...tlogRoutes({ documents, now: world.now }), receiptRoute(receipts)],
    });
  },

  exported(world) {
    const place = TLOG_PLACE.open(world.storage);
    return place && exportTlog(place.store, place.gunzip);
  },
};

async function* nothing(): AsyncGenerator<never, void, undefined> {}
