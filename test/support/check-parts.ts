import type { CheckParts } from '../../src/dialects/checker.ts';

/** The parts of a check that reads no archive and does not wait. */
export const NO_PARTS: CheckParts = {
  now: () => Date.UTC(2026, 0, 1),
  wait: async () => {},
  onStatus: () => {},
  isPublicAddress: () => true,
  gunzip: async () => {
    throw new Error('Nothing is packed here.');
  },
  inflate: async () => undefined,
};
