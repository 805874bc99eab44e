type AddressKind = 'documentation' | 'forum' | 'product' | 'collection' | 'category' | 'shop' | 'front' | 'service';

const DOCUMENTATION =
  /^(?:docs?|documentation|reference|manual|handbook|userguide|user-guide|api-docs|apidocs|api-reference|howto|man|man-pages|kb|knowledge-base)$/;
const DOCUMENTATION_HOST = /^(?:docs?|documentation|devdocs|developers?|manual|man|help|support|kb|wiki)$/;
/** Builds of one version, as documentation hosts name them: `/en/stable/quickstart`. */
const VERSION = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/)?(?:stable|latest)\//;
const FORUM = /^(?:forums?|threads?|viewtopic\.php|showthread\.php|boards?|discussions?|bbs)$/;
const FORUM_HOST = /^(?:forums?|community|discuss|bbs|boards?)$/;
const COLLECTION = /^(?:collections|product-category)$/;
const CATEGORY = /^(?:c|category|categories|tags?|topics?)$/;
const FRONT = /^(?:blog|news|articles|stories|archives?|press|index\.(?:html?|php))$/;
const SERVICE = /^(?:services?|solutions|.*-services)$/;
const PRODUCT = /^(?:products?|p|dp|itm|item)$/;

/** The kind of page according to its address. The last part of the path is the page's own name, which may be any word. */
export function kindOfAddress({ hostname, pathname }: URL): AddressKind | undefined {
  const host = hostname.split('.')[0] ?? '';
  const path = pathname.toLowerCase();
  const parts = path.split('/').filter((part) => part !== '');
  const above = parts.slice(0, -1);
  if (DOCUMENTATION_HOST.test(host) || VERSION.test(path) || above.some((part) => DOCUMENTATION.test(part)))
    return 'documentation';
  if (FORUM_HOST.test(host) || parts.some((part) => FORUM.test(part))) return 'forum';
  if (parts.some((part, at) => /^(?:questions|topic|t)$/.test(part) && parts.slice(at + 1).some(isNumbered)))
    return 'forum';
  if (PRODUCT.test(parts.at(-2) ?? '')) return 'product';
  if (above.some((part) => COLLECTION.test(part))) return 'collection';
  if (above.some((part) => CATEGORY.test(part))) return 'category';
  if (/^(?:shop|store)$/.test(parts.at(-1) ?? '')) return 'shop';
  if (parts.length === 0 || FRONT.test(parts.at(-1) ?? '')) return 'front';
  return parts.some((part) => SERVICE.test(part)) ? 'service' : undefined;
}

/** Threads have numbers, categories do not. */
function isNumbered(part: string): boolean {
  return /^\d{3,}/.test(part);
}
