import type { ReadingRules } from '../extract/rules/reading-rules.ts';
import type { PageRecord } from '../log/pages-file.ts';
import type { Artifact, HeaderRule } from '../model/artifact.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import type { Folder, NearPlace, Place } from '../model/folder.ts';
import type { Page } from '../model/page.ts';
import type { ProjectionSettings } from './projection-settings.ts';

/**
 * The part of a dialect that publishes a site: it turns log and pages into files.
 *
 * A publish calls `ensure`, then `load`, then on the loaded projection `onPage`, `drafts`, `plan` and `project`. Nothing is written before all
 * projections are loaded. The log commits first, so the next run completes a run that was interrupted.
 */
export interface Projection {
  /** The key of its marks in the first line of pages.ndjson; absent if it leaves none. */
  readonly stateKey?: string;
  /** Throws a SettingRefusedError for settings that cannot work, before anything is read. */
  ensure?(options: ProjectionOptions, tools: ProjectionTools): void;
  /**
   * Reads what is published, and refuses to touch a file of an author or a feed that does not match the log. Called even if it is not chosen, unless
   * its dialect is on request. If it is not chosen, or on a dry run, it reads only what `drafts` and `plan` need.
   */
  load(places: ProjectionPlaces, published: PublishedSite, options: LoadOptions): Promise<LoadedProjection>;
  /**
   * Its files that contain texts of a change which were removed from the log, without these texts. Absent if it publishes no texts or its files never
   * change.
   */
  redact?(site: RedactedSite): Promise<readonly StateFile[]>;
}

/** A published site whose log has lost texts of one change. */
export interface RedactedSite {
  readonly out: NearPlace;
  readonly site: URL;
  /** The whole log, without those texts. */
  readonly changes: readonly Change[];
  /** The id of that change. */
  readonly id: string;
}

/** The published state of a dialect, and how to continue from it. */
export interface LoadedProjection {
  /** It is written even if it is not chosen, like the log: a copy of the site without it would undo what it says. */
  readonly isCarried?: boolean;
  /** It has something to report even for a site without pages. */
  readonly standsAlone?: boolean;
  /** The URL of a page that it writes, which explains the feeds to people. */
  readonly about?: string;
  /** Each text of a change that is appended from now on gets a salt. */
  readonly saltsTexts?: boolean;
  /** Called with each page that was parsed, before anything is written. An exception ends the publish. */
  onPage?(reading: ParsedPage): void | Promise<void>;
  /** Changes that it adds to the log itself, appended after those of pages. */
  drafts?(isPage: (url: string) => boolean): readonly ChangeDraft[];
  /** The marks to leave, now that the log is `changes`. Called even if it is not chosen. */
  plan?(changes: readonly Change[]): unknown;
  /** Its files, now that log and page state are written. Called only if it is chosen or carried. */
  project(site: GrownSite): Promise<Projected>;
}

/** A page as it reads now, and its stored record. */
export interface ParsedPage {
  readonly page: Page;
  readonly record: PageRecord;
}

export interface ProjectionOptions extends ProjectionSettings {
  readonly site: URL;
  /** Whether its files are to be written. */
  readonly isChosen: boolean;
}

export interface LoadOptions extends ProjectionOptions {
  readonly dryRun?: boolean;
}

export interface ProjectionPlaces {
  /** The site's own folder, which is often `out`; undefined for a live site. */
  readonly dir: Place | undefined;
  readonly out: NearPlace;
  /** Where the state that is published along with the site is kept; often a folder inside `out`. */
  readonly state: Place;
  /** The live site, whose feeds must be continued. */
  readonly previous: Place | undefined;
}

export interface ProjectionTools {
  /** The current bytes of a page; undefined if it no longer exists. Absent if pages are not kept. */
  readonly readPage?: (url: string) => Uint8Array | undefined;
  /** The rules by which the pages are read. */
  readonly rules?: ReadingRules;
  /** Raw deflate data. */
  readonly deflate?: (bytes: Uint8Array) => Uint8Array;
  /** The text of a built browser file: `changes-style.css`. Absent if pages do without such files. */
  readonly assetText?: (name: string) => string;
}

/** A site as the last publish left it. */
export interface PublishedSite {
  /** The whole log. */
  readonly changes: readonly Change[];
  /** How many of the changes the page state and the marks include. After an interrupted run they lag behind the log. */
  readonly published: number;
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** pages.ndjson as the state folder has it. */
  readonly pagesFile: Uint8Array | undefined;
  /** The marks that this projection left there, not decoded; undefined before its first publish. */
  readonly marks: unknown;
}

/** A site as this publish leaves it. */
export interface GrownSite extends ProjectionTools {
  /** The whole log, including what this publish appended. If excerpts are off, old records have none either. */
  readonly changes: readonly Change[];
  /** How many of them this publish appended. */
  readonly grownBy: number;
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** The same pages as bytes to write. */
  readonly pagesFile: Uint8Array;
  /** Whether this publish could read at least one page, if there should be one. */
  readonly isRead: boolean;
  /** How many pages could not be read now: nothing is known about those. */
  readonly unread: number;
  readonly nowMs: number;
  /** The URL of a page that explains the feeds to people, unless the publisher sets another; undefined if there is none. */
  readonly about?: string | undefined;
  /** The files that the preceding projections publish now, including unchanged ones. */
  readonly files: readonly Artifact[];
  /** The path of every file that they publish. */
  readonly paths: readonly string[];
  /** For files that are too large to return. The caller writes all others. */
  readonly out: Folder;
}

export interface Projected {
  /** In write order: a file comes before those that point to it. */
  readonly files: readonly Artifact[];
  readonly rules: readonly HeaderRule[];
  /** Every published file, including unchanged ones. */
  readonly paths: readonly string[];
  /** The data from which its files are made, written into the state folder before them. */
  readonly record?: readonly StateFile[];
  /** Files that declare the others complete: they are made after those are written. */
  readonly closing?: () => readonly Artifact[];
  /** Data that saves work at the next publish, written into the state folder after all files. */
  readonly memory?: readonly StateFile[];
  /** Files that are no longer needed, removed after everything else. */
  readonly stale?: readonly string[];
  /** What the author may add to the site or move by hand, one sentence each. */
  readonly suggestions?: readonly string[];
}

export interface StateFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The projection of a site that has nothing to report in a dialect. */
export const NOTHING: Projected = { files: [], rules: [], paths: [] };

/** Files that each need a separate header rule. */
export function projectedFiles(files: readonly Artifact[]): Projected {
  return { files, rules: files, paths: files.map(({ path }) => path) };
}

/** A projection that is not written now. */
export const NOT_WRITTEN: LoadedProjection = { project: async () => NOTHING };
