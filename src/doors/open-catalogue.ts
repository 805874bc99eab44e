import { LogCatalogue } from '../hub/catalogue/log-catalogue.ts';
import { openSqliteCatalogue } from '../io/sqlite/catalogue-file.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';

export interface OpenCatalogueParts {
  readonly folder: string;
  readonly store: WholeHubStore;
  readonly epoch: string | undefined;
  readonly onProblem: (message: string) => void;
}

/** The catalogue of a hub. It follows what is committed to the store. It takes over earlier changes when it is first mended. */
export async function openCatalogue({ folder, store, epoch, onProblem }: OpenCatalogueParts): Promise<LogCatalogue> {
  const idAt = async (seq: number) => (await store.changesAt([seq]))[0]?.id;
  const catalogue = new LogCatalogue({
    store,
    newestSeq: (await store.lastChange())?.seq ?? 0,
    open: ({ isDamaged }) => openSqliteCatalogue({ folder, epoch, logStart: store.logStart(), idAt, isDamaged }),
    elapsedMs: () => performance.now(),
    onProblem,
  });
  await catalogue.open();
  return catalogue;
}
