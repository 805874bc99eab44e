import { type Decode, fieldsOf, wholeNumberIn } from './setting-decoders.ts';
import { DEFAULT_STREAMS, type StreamSettings } from './stream-settings.ts';

const MOST_STREAMS = 1_000_000;
const KILOBYTE = 1024;
const GIGABYTE = 1024 ** 3;

const SHAPE = {
  most: wholeNumberIn(0, MOST_STREAMS),
  perClient: wholeNumberIn(0, MOST_STREAMS),
  perKey: wholeNumberIn(0, MOST_STREAMS),
  waitingBytes: wholeNumberIn(16 * KILOBYTE, GIGABYTE),
  waitingBytesInAll: wholeNumberIn(KILOBYTE * KILOBYTE, 64 * GIGABYTE),
  heartbeatSeconds: wholeNumberIn(1, 20),
};

/** Streams of events: `{ "most": 20000, "perClient": 64 }`. */
export const streams: Decode<StreamSettings> = (value, at) => ({ ...DEFAULT_STREAMS, ...fieldsOf(SHAPE, value, at) });
