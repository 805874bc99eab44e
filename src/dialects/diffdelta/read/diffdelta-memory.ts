import type { DecodedListedSource } from '../../../codecs/diffdelta/decode-sources.ts';
import type { Validators } from '../../../fetch/response-headers.ts';

/** What is remembered of a DiffDelta feed: how far it was read. */
export interface KnownRun {
  /** Of the last run of which every item was handed on. Absent before the first one. */
  readonly cursor?: string;
  /** Of the head, and of the feed where there is no head, when nothing was left to read. */
  readonly validators?: Validators;
  /** Of the feed that a head has led to. */
  readonly latestValidators?: Validators;
  /** Where that feed was found: a head may name one that lags behind. */
  readonly latestUrl?: string;
  readonly ttlSec?: number;
  /** Where reading the archives was broken off. */
  readonly walk?: ArchiveWalk;
}

/** The archives between the last run that was handed on and a later one. */
export interface ArchiveWalk {
  /** Those that are to be handed on, newest first. */
  readonly urls: readonly string[];
  /** The one to look at next on the way back; absent when the way back was gone to its end. */
  readonly next?: string;
}

/** What is remembered of the manifest of a service. */
export interface KnownManifest {
  readonly discovery?: { readonly text: string; readonly validators: Validators };
  /** The entry of the feed with which the next reading begins, where the last one was cut short. */
  readonly turn?: string;
  readonly list?: KnownSourceList;
}

/** What is remembered of the list of sources that a manifest names. */
export interface KnownSourceList {
  readonly url: string;
  /** When it was asked for last. */
  readonly atMs: number;
  readonly validators: Validators;
  readonly listed: readonly DecodedListedSource[];
  /** What was said about how it differs from the manifest. */
  readonly difference?: string;
}

/** What this reader itself has written of a feed. */
export function decodeRun(memory: unknown): KnownRun | undefined {
  return memory as KnownRun | undefined;
}

/** What this reader itself has written of a manifest. */
export function decodeManifest(memory: unknown): KnownManifest | undefined {
  return memory as KnownManifest | undefined;
}
