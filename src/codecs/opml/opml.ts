/**
 * OPML: a list of subscriptions, as feed readers import and export it.
 *
 *     <opml version="2.0">
 *       <head><title>Subscriptions</title></head>
 *       <body>
 *         <outline text="Vendors">
 *           <outline type="aicf" text="Acme" xmlUrl="https://acme.example/feed.ndjson" htmlUrl="https://acme.example/"/>
 *         </outline>
 *       </body>
 *     </opml>
 *
 * Spec: http://opml.org/spec2.opml. Names of attributes are read in any case, as readers write them.
 */

export interface OpmlOutline {
  /** Where its tag begins, from 1. */
  readonly line: number;
  readonly text?: string;
  readonly type?: string;
  /** Of the feed. */
  readonly xmlUrl?: string;
  /** Of the site that has it. */
  readonly htmlUrl?: string;
}

export const OPML_LIMITS = { depth: 64, attributes: 64, outlines: 100_000 };
