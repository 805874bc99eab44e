import type { Clause } from '../codecs/primitives/clause.ts';
import type { FeedAuditor } from './auditor.ts';
import type { Checker } from './checker.ts';
import type { Projection } from './projection.ts';
import type { FeedReader, OfferFacts, ReaderPorts } from './reader.ts';
import type { ShelfKind } from './shelf.ts';

/** A part of a dialect, loaded on first use: a publish does not pay for loading readers. */
export type Part<T> = () => Promise<T>;

/**
 * A format that others speak, as one folder behind one contract.
 *
 * A flow knows only this contract, no single dialect: it goes through the list of dialects that it was given and asks each for the part that it
 * needs. A dialect omits the parts that it does not have.
 */
export interface Dialect {
  /** Its name for users: in `--formats`, `--dialect`, `--spec` and in the configuration of a source. */
  readonly name: string;
  /** Other names of feeds that its reader accepts. */
  readonly aliases?: readonly string[];
  /** A publish writes it only if `--formats` names it. */
  readonly isOnRequest?: boolean;
  /** Where followers look for it, relative to the root of a host. A site below a path cannot write there. */
  readonly wellKnown?: string;
  /** The paths of the feeds of a published site that can be pushed to readers (WebSub topics). `has` says whether a file exists. */
  readonly topics?: (has: (path: string) => boolean) => readonly string[];
  /** The obligations of its specification, as data. */
  readonly clauses?: Part<readonly Clause[]>;
  /** Turns the log of a site into files. */
  readonly projection?: Part<Projection>;
  /** How a hub keeps its documents ready. */
  readonly shelf?: Part<ShelfKind>;
  /** Whether its shelf keeps archives that `retention` may remove. */
  readonly hasArchives?: boolean;
  /** Says whether a place offers it and which clauses are broken there. */
  readonly checker?: Part<Checker>;
  /** Finds and reads its feeds. */
  readonly reader?: Part<FeedReader>;
  /** Lists what its feeds report, to compare that with the provable log. */
  readonly auditor?: Part<FeedAuditor>;
  /** For a dialect that cannot be followed: says whether a site has it. */
  readonly sighting?: Part<Sighting>;
}

/** Undefined if a site does not have it. Throws on temporary failures. */
export type Sighting = (site: URL, ports: Pick<ReaderPorts, 'http' | 'signal'>) => Promise<OfferFacts | undefined>;
