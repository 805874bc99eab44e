import { DIALECTS } from '../../src/dialects/registry.ts';
import { inMemoryStorage } from '../../src/dialects/storage.ts';
import { gunzip } from '../../src/io/zlib/gunzip.ts';

/** What every reader of feeds needs besides the network, a clock and the state. */
export function readerParts() {
  return { dialects: DIALECTS, gunzip, storage: inMemoryStorage() };
}
