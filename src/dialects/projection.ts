import type { ReadingRules } from '../extract/rules/reading-rules.ts';
import type { PageRecord } from '../log/pages-file.ts';
import type { Artifact, HeaderRule } from '../model/artifact.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import type { Folder, NearPlace, Place } from '../model/folder.ts';
import type { Page } from '../model/page.ts';
import type { ProjectionSettings } from './projection-settings.ts';

/**
 * The part of a dialect that publishes a site: log and pages become files.
 *
 * A publish asks in this order: `ensure`, `load`, then of what is loaded `onPage`, `drafts`, `plan` and `project`. Nothing is written before
 * all publications are loaded, and a run that is cut off anywhere is completed by the next one, since the log commits first.
 */
export interface Projection {
  /** The key of its marks in the first line of pages.ndjson; absent where it leaves none. */
  readonly stateKey?: string;
  /** Throws a SettingRefusedError for what cannot be done, before anything is read. */
  ensure?(options: ProjectionOptions, tools: ProjectionTools): void;
  /**
   * Reads what is published, and refuses what must not be touched: a file of an author, a feed that the log does not give. Called
   * whether it is chosen or not, unless its dialect is one on request. Where it is not, or on a dry run, it reads no more than it needs for `drafts` and `plan`.
   */
  load(places: ProjectionPlaces, published: PublishedSite, options: LoadOptions): Promise<LoadedProjection>;
  /** Its files that told texts of a change which the log has no more, without them. Absent where it tells none, or where what it published never changes. */
  redact?(site: RedactedSite): Promise<readonly StateFile[]>;
}

/** A published site whose log has lost texts of one change. */
export interface RedactedSite {
  readonly out: NearPlace;
  readonly site: URL;
  /** The whole log, without those texts. */
  readonly changes: readonly Change[];
  /** Of that change. */
  readonly id: string;
}

/** What is published of a dialect, and how it goes on from there. */
export interface LoadedProjection {
  /** It is written whether it is chosen or not, as the log is: a copy of the site without it would undo what it says. */
  readonly isCarried?: boolean;
  /** It has something to tell of a site that has no pages at all. */
  readonly standsAlone?: boolean;
  /** The address of a page that it writes, which tells people what the feeds are about. */
  readonly about?: string;
  /** The texts of changes that are appended from now on get a salt each. */
  readonly saltsTexts?: boolean;
  /** Hears of each page that was parsed, before anything is written. What it throws ends the publish. */
  onPage?(reading: ParsedPage): void | Promise<void>;
  /** Changes that it brings to the log itself, to be appended behind those of pages. */
  drafts?(isPage: (url: string) => boolean): readonly ChangeDraft[];
  /** The marks that it leaves now that the log is `changes`. Called whether it is chosen or not. */
  plan?(changes: readonly Change[]): unknown;
  /** Its files, now that log and page state are written. Only where it is chosen or carried. */
  project(site: GrownSite): Promise<Projected>;
}

/** A page as it reads now, and what is remembered of it. */
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
  /** Where the state that travels with the site is kept; often a folder inside `out`. */
  readonly state: Place;
  /** The live site, whose feeds must be continued. */
  readonly previous: Place | undefined;
}

export interface ProjectionTools {
  /** The bytes of a page as they are now; undefined when there are none any more. Absent where pages are not kept. */
  readonly readPage?: (url: string) => Uint8Array | undefined;
  /** By which the pages are read. */
  readonly rules?: ReadingRules;
  /** Raw deflate data. */
  readonly deflate?: (bytes: Uint8Array) => Uint8Array;
  /** What browsers are given, as it was built with us: `changes-style.css`. Absent where pages go without. */
  readonly assetText?: (name: string) => string;
}

/** A site as the last publish left it. */
export interface PublishedSite {
  /** The whole log. */
  readonly changes: readonly Change[];
  /** How many of them the page state knew, and the marks with it. A run that was cut off leaves it behind the log. */
  readonly published: number;
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** pages.ndjson as the state folder has it. */
  readonly pagesFile: Uint8Array | undefined;
  /** What this projection left there, not decoded; undefined before its first publish. */
  readonly marks: unknown;
}

/** A site as this publish leaves it. */
export interface GrownSite extends ProjectionTools {
  /** The whole log, with what this publish appended. Without excerpts, also of old records, where none are wanted. */
  readonly changes: readonly Change[];
  /** How many of them are of this publish. */
  readonly grownBy: number;
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** The same as they are written. */
  readonly pagesFile: Uint8Array;
  /** Whether this publish could read any page at all, where there should be one. */
  readonly isRead: boolean;
  /** How many pages could not be read now: of those nothing is known. */
  readonly unread: number;
  readonly nowMs: number;
  /** Where people read what the feeds are about, unless the publisher says otherwise; undefined where there is no such page. */
  readonly about?: string | undefined;
  /** What the projections before it publish now, also files that stay as they are. */
  readonly files: readonly Artifact[];
  /** Every file that they publish, by its path. */
  readonly paths: readonly string[];
  /** For what is too large to be handed on. All else is written by who asked for it. */
  readonly out: Folder;
}

export interface Projected {
  /** In the order in which they are to be written: what is pointed to before what points to it. */
  readonly files: readonly Artifact[];
  readonly rules: readonly HeaderRule[];
  /** Every file that is published, also those that stay as they are. */
  readonly paths: readonly string[];
  /** What its files are made of, to be written into the state folder before them. */
  readonly record?: readonly StateFile[];
  /** Files that say that all others are there: they are made when those are written. */
  readonly closing?: () => readonly Artifact[];
  /** What saves the next publish work, to be written into the state folder behind all files. */
  readonly memory?: readonly StateFile[];
  /** What nobody wants any more, to be removed behind all else. */
  readonly stale?: readonly string[];
  /** What the author may add to the site by hand, or move away, one sentence each. */
  readonly suggestions?: readonly string[];
}

export interface StateFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a site without anything to say in a dialect is projected to. */
export const NOTHING: Projected = { files: [], rules: [], paths: [] };

/** Files of which each is a rule of its own. */
export function projectedFiles(files: readonly Artifact[]): Projected {
  return { files, rules: files, paths: files.map(({ path }) => path) };
}

/** A publication that nobody writes now. */
export const NOT_WRITTEN: LoadedProjection = { project: async () => NOTHING };
