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
 * Spec: http://opml.org/spec2.opml. Attribute names are accepted in any case, because feed readers differ.
 */

export interface OpmlOutline {
  /** The line where its tag begins, from 1. */
  readonly line: number;
  readonly text?: string;
  readonly type?: string;
  /** The address of the feed. */
  readonly xmlUrl?: string;
  /** The address of its site. */
  readonly htmlUrl?: string;
}

export const OPML_LIMITS = { depth: 64, attributes: 64, outlines: 100_000 };
