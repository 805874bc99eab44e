import { remembered } from './remembered.ts';

/**
 * Names (class, id) that shops, forums, magazines and companies use for what is beside their content.
 *
 * The names of one site mean nothing; these are the words that thousands of themes share.
 */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** One of these among the words of a name identifies furniture. */
const FURNITURE = words(`
  footer sidebar breadcrumb breadcrumbs navbar navigation subnav megamenu hamburger topbar offcanvas drawer flyout
  cookie cookies consent gdpr newsletter popup popover modal tooltip toast lightbox
  announcement announcements notices
  related recommended recommendations recommendation upsell upsells crosssell crosssells similar suggested
  reviews comments commentlist disqus feedback
  share sharing social login signin signup subscribe
  signature userextras postprofile
  wishlist minicart facet facets filters toolbar pagination pager
  skeleton spinner loader badge badges
  advert advertisement ads sponsored`);

/** Pairs of words that identify furniture only together. */
const FURNITURE_PAIRS =
  /(?:^| )(?:cross sells?|recently viewed|also like|more like|you may|message user$|user (?:info|details|extras)|post profile|author (?:bio|box|info|pane)|user (?:pane|card)|post form|reply form|quick reply|site header|about author|similar threads|sort by|back to top|skip link|lang(?:uage)? (?:switcher|selector|menu)|visually hidden|sr only|mobile menu|main menu|post (?:tags|nav))(?: |$)/;

/** Words about what a page has or lacks, not about the element: "has-sidebar". */
const ABOUT_OTHERS = /(?:^|[-_])(?:with|has|have|no|without|hide|show)(?=[-_A-Z])/;

/** Names of layout rules: "grid-cols-sidebar-content", "md:[--sidebar-width]", "group/tooltip". */
const LAYOUT = /[[:\]/]|layout|cols|wrap-|-wrap\b/i;

/** Containers of code: "code-toolbar". */
const CODE = /^(?:code|highlight|prism|syntax)[-_]/i;
/** The footer of a part: "card__footer". */
const FOOT = /__footer$/i;

/** Whether one of the names in a class attribute, or an id, identifies furniture. */
export const isFurnitureName = remembered((names) => names.split(/\s+/).some(isOne));

function isOne(name: string): boolean {
  if (name.length > 80 || ABOUT_OTHERS.test(name) || LAYOUT.test(name) || CODE.test(name) || FOOT.test(name))
    return false;
  const parts = partsOf(name);
  return parts.some((part) => FURNITURE.has(part)) || FURNITURE_PAIRS.test(parts.join(' '));
}

/** The words of a name in any spelling: "postAuthor", "post-author", "post_author". */
function partsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

const FOLD =
  /accordion|collaps|expand|(?:^|[-_ ])(?:tab|faq|answer|panel|pane|read|toggle)(?:[-_ ]|$)|tab-?(?:pane|panel|content)/i;
const NO_FOLD = /modal|dialog|menu|overlay|filter|facet|popup|popover|drawer|nav|cart|search|login/i;

/** Whether a name identifies something that a click unfolds in place. */
export function isFoldName(names: string): boolean {
  return FOLD.test(names) && !NO_FOLD.test(names);
}

/** Whether a link is styled as a button. */
export const isButtonName = remembered((names) => /(?:^|[-_ ])(?:btn|button|cta)(?:[-_ ]|$)/i.test(names));

/** Notes of the author, which some write as asides. */
const NOTE = /note|tip|warning|callout|info|caution|admonition|takeaway|definition|example/i;

export function isNoteName(names: string): boolean {
  return NOTE.test(names);
}

const BESIDE_TEXT = words('byline bylines bio credit credits dateline');
const BESIDE_TEXT_PAIRS =
  /(?:^| )(?:caption text|reading time|read time|author (?:name|card|details|description|desc|block))(?: |$)/;

/** Whether a name identifies something among the paragraphs of an article that is not part of its text. */
export const isBesideTextName = remembered((names) =>
  names.split(/\s+/).some((name) => {
    const parts = partsOf(name);
    return parts.some((part) => BESIDE_TEXT.has(part)) || BESIDE_TEXT_PAIRS.test(parts.join(' '));
  }),
);
