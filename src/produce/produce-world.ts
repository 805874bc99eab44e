import type { Dialect } from '../dialects/dialect.ts';
import type { ProjectionPlaces, ProjectionTools } from '../dialects/projection.ts';
import type { Log } from '../log/log.ts';
import type { Place } from '../model/folder.ts';
import type { PublishedState } from './load-state.ts';
import type { SiteSource } from './site-source.ts';
import type { SiteFolders } from './write-site.ts';

/** Where a publish reads and writes, and in which dialects. */
export interface ProduceWorld extends SiteFolders, Pick<ProjectionTools, 'deflate' | 'assetText'> {
  /** All dialects that a site can be published in, in write order. */
  readonly dialects: readonly Dialect[];
  readonly source: SiteSource;
  /** Other places that may have the state: the live site, and `out` if the state is kept elsewhere. */
  readonly otherStates: readonly Place[];
  /** The live site, whose feeds must be continued. */
  readonly previous: ProjectionPlaces['previous'];
  /** Returns a text that was never returned before. */
  readonly nonce: () => string;
  /** Returns 32 random bytes as lower-case hex. */
  readonly salt: () => string;
  /** The version of Tidings: another one may make other files from the same site. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Opens the log in `state` for appending. Called once, when its file matches `known`. */
  openLog(site: URL, known: PublishedState): Promise<Log>;
}
