import { MAX_BYTES, MAX_ENTRIES } from '../../codecs/resourcesync/encode.ts';
import type { CollectionSetting } from '../../model/collection.ts';
import { webUrl } from './setting-addresses.ts';
import { type Decode, fieldsOf, flag, listOf, refused, text, wholeNumberIn } from './setting-decoders.ts';

const MAX_COLLECTIONS = 10_000;
const MAX_ATOM_ENTRIES = 10_000;

/** A part of a site: `{ "path": "/my-shrine/", "title": "My shrine" }`, or its path alone. */
const collection: Decode<CollectionSetting> = (value, at) => {
  if (typeof value === 'string') return { path: text(2048)(value, at) };
  const shape = { path: text(2048), title: text(200), author: text(200), describedby: text(2048) };
  const { path, ...rest } = fieldsOf(shape, value, at);
  if (path === undefined) throw refused(`${at}.path`, path, 'Give the path of a part of the site, like /blog/.');
  return { path, ...rest };
};

/** The keys that only `publish` uses. */
export const PUBLISH_SHAPE = {
  title: text(200),
  author: text(200),
  collections: listOf(collection, { most: MAX_COLLECTIONS }),
  listEntries: wholeNumberIn(1, MAX_ENTRIES),
  listBytes: wholeNumberIn(1, MAX_BYTES),
  sitemap: flag,
  changesPage: flag,
  atomEntries: wholeNumberIn(1, MAX_ATOM_ENTRIES),
  websub: webUrl,
  dumps: flag,
};
