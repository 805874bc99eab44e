import type { Dialect } from '../dialects/dialect.ts';
import type { ProjectionPlaces, ProjectionTools } from '../dialects/projection.ts';
import type { Log } from '../log/log.ts';
import type { Place } from '../model/folder.ts';
import type { PublishedState } from './load-state.ts';
import type { SiteSource } from './site-source.ts';
import type { SiteFolders } from './write-site.ts';

/** Where a publish reads and writes, and in which dialects. */
export interface ProduceWorld extends SiteFolders, Pick<ProjectionTools, 'deflate' | 'assetText'> {
  /** All that a site can be published in, in the order in which they are written. */
  readonly dialects: readonly Dialect[];
  readonly source: SiteSource;
  /** Other places that may know the state: the live site, and `out` when the state lives elsewhere. */
  readonly otherStates: readonly Place[];
  /** The live site, whose feeds must be continued. */
  readonly previous: ProjectionPlaces['previous'];
  /** Gives a text that was never given before. */
  readonly nonce: () => string;
  /** Gives 32 random bytes, as lower-case hex. */
  readonly salt: () => string;
  /** Which Tidings this is: another one may make other files of the same site. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Opens the log in `state` for appending. Called once, when its file is as `known` says. */
  openLog(site: URL, known: PublishedState): Promise<Log>;
}
