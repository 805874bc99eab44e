import { type Decode, fieldsOf, flag, wholeNumberIn } from './setting-decoders.ts';

/** What strangers may ask to be followed. */
export interface SelfServiceSettings {
  readonly enabled: boolean;
  /** So many requests a day are looked at in all. */
  readonly perDay: number;
  /** So many a day of one client address. */
  readonly perClient: number;
  /** So many sources are followed that way at a time. */
  readonly most: number;
  /** The time between two looks at such a source. */
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
