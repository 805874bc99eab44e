import type { Validators } from '../../../fetch/response-headers.ts';

/** What is stored about an AI Changefeed between two readings. */
export interface AicfMemory {
  /** The discovery document as last read. */
  readonly discovery?: KeptDiscovery;
  readonly lastId?: string;
  /** Absent while an earlier file of a rotated feed is being read. */
  readonly feed?: KnownFeed;
}

export interface KeptDiscovery {
  readonly text: string;
  readonly validators: Validators;
}

/** What is known about the current feed file. */
export interface KnownFeed {
  readonly url: string;
  readonly position?: FeedPosition;
  /** Of the last version that was read completely. */
  readonly validators: Validators;
}

/** The last processed event line, and how far the file was read after it. */
export interface FeedPosition {
  readonly lineStart: number;
  readonly lineBytes: number;
  readonly lineHash: string;
  readonly lineNumber: number;
  /** Where the last line begins that need not be read again: this event's line, or a bad or blank one after it. */
  readonly readTo: number;
}

/** What this reader itself has written. */
export function decodeAicfMemory(memory: unknown): AicfMemory | undefined {
  return memory as AicfMemory | undefined;
}
