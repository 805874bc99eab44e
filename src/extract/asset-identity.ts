import { withoutFragment } from '../codecs/primitives/without-fragment.ts';
import { fingerprintOf } from './fingerprint.ts';
import { attribute, type HtmlElement } from './html-tree.ts';
import { imageBytes, imageSource } from './image-source.ts';
import { resolveLink, withoutNoise } from './link-target.ts';

/** Query parameters that say how large or in which form, or that somebody may have it, and not what it is. */
const SIZE_OR_SIGN =
  /^(?:w|h|width|height|max-?w(?:idth)?|max-?h(?:eight)?|size|sz|s|scale|resize|dpr|q|quality|fit|crop|rect|auto|fm|format|fmt|f|output|blur|sharp|bg|strip|ssl|lossless|webp|ixlib|ixid|cs|x-amz-.*|x-goog-.*|awsaccesskeyid|googleaccessid|signature|sig|sign|hmac|expires|exp|expiry|policy|key-pair-id|s[eprtvi]|spr|sk(?:oid|tid|t|e|s|v)|hdnts|__token__|token|oh|oe|_nc_.*|stp|ccb|itok)$/i;
/** `flow-300x200.jpg`, `220px-Flow.png`, `/cdn-cgi/image/width=800,quality=75/flow.png`: sizes that stand in the path. */
const SIZE_IN_PATH = /-\d{2,4}x\d{2,4}(?=\.\w+$)|(?<=\/)\d{2,4}px-(?=[^/]+$)|\/cdn-cgi\/image\/[^/]*=[^/]*(?=\/)/g;
const HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;
/** A picture of so few points is there to be counted, or to keep a distance. */
const MAX_PIXEL = 3;
const FOR_LOOKS = /^(?:presentation|none)$/i;
/** The name of an image that keeps a place for another one, or for nothing. */
const STAND_IN = /(?:^|\/)(?:blank|spacer|pixel|transparent|placeholder|lazy|loading|1x1)\b[^/]*$/i;
/** Frames of networks and widgets: advertisements, counters, comments, buttons to share, tests for people. */
const FOREIGN_FRAME =
  /^https?:\/\/(?:[^/?#]*\.)?(?:ads?\d*|adserv\w*|doubleclick|googlesyndication|googletagmanager|adnxs|amazon-adsystem|taboola|outbrain|criteo|disqus|giscus|utteranc|hcaptcha|recaptcha)\.|\/(?:recaptcha|plugins\/(?:like|share_button|page)|widgets\/(?:tweet_button|follow_button))\b/i;
const SOURCE_NAMES = ['src', 'data', 'data-src'];

/**
 * What tells an image from another one: its path with the fingerprint in it, never its host; undefined for one that shows nothing
 * by itself.
 */
export function imageIdentity(image: HtmlElement, pageUrl: string): string | undefined {
  if (isForLooks(image)) return undefined;
  const source = imageSource(image, pageUrl);
  if (source !== undefined) return STAND_IN.test(source) ? undefined : assetIdentity(source);
  const bytes = imageBytes(image);
  return bytes === undefined ? undefined : fingerprintOf(bytes);
}

/** What tells a video, sound or frame from another one. */
export function mediaIdentity(media: HtmlElement, pageUrl: string): string | undefined {
  const source = mediaSource(media, pageUrl);
  return source === undefined ? undefined : assetIdentity(source);
}

/** What a video, sound or frame shows: its own source, else the first that is offered inside it. */
export function mediaSource(media: HtmlElement, base: string): string | undefined {
  if (isForLooks(media)) return undefined;
  const offered = media.children.filter((child) => typeof child !== 'string');
  for (const element of [media, ...offered]) {
    for (const name of SOURCE_NAMES) {
      const source = resolveLink(attribute(element, name) ?? '', base);
      if (source === undefined || !/^https?:/i.test(source)) continue;
      return FOREIGN_FRAME.test(source) ? undefined : source;
    }
  }
  return undefined;
}

function assetIdentity(source: string): string {
  const [start = '', ...queries] = withoutFragment(source).split('?');
  const query = queries.join('&');
  const plain = query === '' && !start.includes(';') ? start : withoutNoise(`${start}?${query}`);
  const [path = '', rest = ''] = plain.replace(HOST, '').split('?', 2);
  const kept = rest.split('&').filter((pair) => pair !== '' && !SIZE_OR_SIGN.test(pair.split('=', 1)[0] ?? ''));
  return [path.replace(SIZE_IN_PATH, ''), ...kept].join('?');
}

/** An image or frame of a point or two, or one that says that it only decorates. */
export function isForLooks(element: HtmlElement): boolean {
  const isPixel = (name: string) => Number.parseInt(attribute(element, name) ?? '', 10) <= MAX_PIXEL;
  return isPixel('width') || isPixel('height') || FOR_LOOKS.test(attribute(element, 'role') ?? '');
}
