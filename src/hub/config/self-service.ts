import { type Decode, fieldsOf, flag, wholeNumberIn } from './setting-decoders.ts';

/** What strangers may ask to be followed. */
export interface SelfServiceSettings {
  readonly enabled: boolean;
  /** How many requests per day are considered in all. */
  readonly perDay: number;
  /** How many per day and client address. */
  readonly perClient: number;
  /** How many sources may be followed this way at a time. */
  readonly most: number;
  /** The interval of such a source. */
  readonly everyMinutes: number;
}

export const DEFAULT_SELF_SERVICE: SelfServiceSettings = {
  enabled: false,
  perDay: 50,
  perClient: 3,
  most: 200,
  everyMinutes: 720,
};

/** `{ "enabled": true, "perDay": 20 }`. */
export const selfService: Decode<SelfServiceSettings> = (value, at) => {
  const shape = {
    enabled: flag,
    perDay: wholeNumberIn(1, 10_000),
    perClient: wholeNumberIn(1, 1000),
    most: wholeNumberIn(0, 100_000),
    everyMinutes: wholeNumberIn(10, 30 * 1440),
  };
  return { ...DEFAULT_SELF_SERVICE, ...fieldsOf(shape, value, at) };
};
