import type { DecodedListedSource } from '../../../codecs/diffdelta/decode-sources.ts';
import type { Validators } from '../../../fetch/response-headers.ts';

/** What is remembered about a DiffDelta feed: how far it was read. */
export interface KnownRun {
  /** The cursor of the last run of which every item was handed on. Absent before the first one. */
  readonly cursor?: string;
  /** Validators of the head, or of the feed if there is no head, from when nothing was left to read. */
  readonly validators?: Validators;
  /** Validators of the feed that a head has led to. */
  readonly latestValidators?: Validators;
  /** The URL of that feed, because a head may name one that lags behind. */
  readonly latestUrl?: string;
  readonly ttlSec?: number;
  /** Where reading the archives was interrupted. */
  readonly walk?: ArchiveWalk;
}

/** The archives between the last run that was handed on and a later one. */
export interface ArchiveWalk {
  /** The archives to hand on, newest first. */
  readonly urls: readonly string[];
  /** The next archive on the way back; absent if the way back is complete. */
  readonly next?: string;
}

/** What is remembered about the manifest of a service. */
export interface KnownManifest {
  readonly discovery?: { readonly text: string; readonly validators: Validators };
  /** The entry of the feed to start the next reading with, if the last one was cut short. */
  readonly turn?: string;
  readonly list?: KnownSourceList;
}

/** What is remembered about the list of sources that a manifest names. */
export interface KnownSourceList {
  readonly url: string;
  /** When it was last requested. */
  readonly atMs: number;
  readonly validators: Validators;
  readonly listed: readonly DecodedListedSource[];
  /** The last reported difference to the manifest. */
  readonly difference?: string;
}

/** Memory of a feed that this reader itself has written. */
export function decodeRun(memory: unknown): KnownRun | undefined {
  return memory as KnownRun | undefined;
}

/** Memory of a manifest that this reader itself has written. */
export function decodeManifest(memory: unknown): KnownManifest | undefined {
  return memory as KnownManifest | undefined;
}
