import type { Clause } from '../codecs/primitives/clause.ts';
import type { FeedAuditor } from './auditor.ts';
import type { Checker } from './checker.ts';
import type { Projection } from './projection.ts';
import type { FeedReader, OfferFacts, ReaderPorts } from './reader.ts';
import type { ShelfKind } from './shelf.ts';

/** A part of a dialect, loaded when somebody first needs it: a publish does not pay for readers. */
export type Part<T> = () => Promise<T>;

/**
 * A format that others speak, as one folder behind one contract.
 *
 * A flow knows this contract and no dialect: it goes through the list of dialects that it was given and asks each for the part
 * that it needs. What a dialect does not have it leaves out.
 */
export interface Dialect {
  /** How users name it: in `--formats`, `--dialect`, `--spec` and in the configuration of a source. */
  readonly name: string;
  /** Other names of feeds that its reader takes. */
  readonly aliases?: readonly string[];
  /** A publish writes it only where `--formats` names it. */
  readonly isOnRequest?: boolean;
  /** Where followers look for it, from the root of a host. A site below a path cannot write there. */
  readonly wellKnown?: string;
  /** The feeds of a published site that readers may be pushed (topics of WebSub), by their paths. `has` says which files there are. */
  readonly topics?: (has: (path: string) => boolean) => readonly string[];
  /** The obligations of its specification, as data. */
  readonly clauses?: Part<readonly Clause[]>;
  /** Turns the log of a site into files. */
  readonly projection?: Part<Projection>;
  /** How a hub keeps its documents ready. */
  readonly shelf?: Part<ShelfKind>;
  /** Whether its shelf keeps archives that `retention` may end. */
  readonly hasArchives?: boolean;
  /** Says whether a place holds it, and which clauses it breaks. */
  readonly checker?: Part<Checker>;
  /** Finds and reads its feeds. */
  readonly reader?: Part<FeedReader>;
  /** Says what its feeds tell, for who holds that against the provable log. */
  readonly auditor?: Part<FeedAuditor>;
  /** Of one that nobody follows: says whether a site has it. */
  readonly sighting?: Part<Sighting>;
}

/** Undefined where a site does not have it. Throws what may pass. */
export type Sighting = (site: URL, ports: Pick<ReaderPorts, 'http' | 'signal'>) => Promise<OfferFacts | undefined>;
