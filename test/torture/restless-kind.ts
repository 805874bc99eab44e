import type { Served } from '../support/live-site.ts';
import type { Random } from './hub-random.ts';
import type { Extras } from './restless-page.ts';
import type { Voice } from './restless-truth.ts';

/** One request for a page of a restless origin. */
export interface Asked {
  /** `http://127.0.0.1:<port>/` */
  readonly base: string;
  readonly path: string;
  readonly look: number;
  readonly looks: number;
  /** How many pages were asked for before in this look. */
  readonly order: number;
  /** Of this look, of this page in this look, of this request alone. */
  readonly byLook: Random;
  readonly byPage: Random;
  readonly byRequest: Random;
  /** Looks since the authors last did something to this page; undefined where they never did. */
  readonly sinceEdit: number | undefined;
  /** The page as its authors mean it. */
  html(extras?: Extras, voice?: Voice): string;
  /** As it was before what its authors did last. */
  former(): Served;
}

/** A way in which an origin is unsteady without anybody editing it. */
export interface RestlessKind {
  readonly name: string;
  /** Undefined for the page as it is meant. */
  answer(asked: Asked): Served | undefined;
  /** In place of a 404 for a page that its authors have removed. */
  removed?(asked: Asked): Served;
  /** In place of the true list of pages. */
  sitemap?(asked: Omit<Asked, 'html' | 'former'>, paths: readonly string[]): Served | undefined;
  /** The name that the authors know a section by. */
  cleanAnchor?(anchor: string): string;
}
