import { withoutFragment } from '../codecs/primitives/without-fragment.ts';
import { fingerprintOf } from './fingerprint.ts';
import { attribute, type HtmlElement } from './html-tree.ts';
import { imageBytes, imageSource } from './image-source.ts';
import { resolveLink, withoutNoise } from './link-target.ts';

/** Query parameters for the size, format or access right of an asset, not for its identity. */
const SIZE_OR_SIGN =
  /^(?:w|h|width|height|max-?w(?:idth)?|max-?h(?:eight)?|size|sz|s|scale|resize|dpr|q|quality|fit|crop|rect|auto|fm|format|fmt|f|output|blur|sharp|bg|strip|ssl|lossless|webp|ixlib|ixid|cs|x-amz-.*|x-goog-.*|awsaccesskeyid|googleaccessid|signature|sig|sign|hmac|expires|exp|expiry|policy|key-pair-id|s[eprtvi]|spr|sk(?:oid|tid|t|e|s|v)|hdnts|__token__|token|oh|oe|_nc_.*|stp|ccb|itok)$/i;
/** Sizes in the path: `flow-300x200.jpg`, `220px-Flow.png`, `/cdn-cgi/image/width=800,quality=75/flow.png`. */
const SIZE_IN_PATH = /-\d{2,4}x\d{2,4}(?=\.\w+$)|(?<=\/)\d{2,4}px-(?=[^/]+$)|\/cdn-cgi\/image\/[^/]*=[^/]*(?=\/)/g;
const HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;
/** An image of so few pixels is a beacon or a spacer. */
const MAX_PIXEL = 3;
const FOR_LOOKS = /^(?:presentation|none)$/i;
/** The file name of a placeholder image. */
const STAND_IN = /(?:^|\/)(?:blank|spacer|pixel|transparent|placeholder|lazy|loading|1x1)\b[^/]*$/i;
/** Frames of third parties: advertisements, counters, comments, share buttons, captchas. */
const FOREIGN_FRAME =
  /^https?:\/\/(?:[^/?#]*\.)?(?:ads?\d*|adserv\w*|doubleclick|googlesyndication|googletagmanager|adnxs|amazon-adsystem|taboola|outbrain|criteo|disqus|giscus|utteranc|hcaptcha|recaptcha)\.|\/(?:recaptcha|plugins\/(?:like|share_button|page)|widgets\/(?:tweet_button|follow_button))\b/i;
const SOURCE_NAMES = ['src', 'data', 'data-src'];

/** Identifies an image by its path including the fingerprint, never by its host. Undefined for an image that shows nothing by itself. */
export function imageIdentity(image: HtmlElement, pageUrl: string): string | undefined {
  if (isForLooks(image)) return undefined;
  const source = imageSource(image, pageUrl);
  if (source !== undefined) return STAND_IN.test(source) ? undefined : assetIdentity(source);
  const bytes = imageBytes(image);
  return bytes === undefined ? undefined : fingerprintOf(bytes);
}

/** Identifies a video, sound or frame. */
export function mediaIdentity(media: HtmlElement, pageUrl: string): string | undefined {
  const source = mediaSource(media, pageUrl);
  return source === undefined ? undefined : assetIdentity(source);
}

/** The source of a video, sound or frame: its own, or the first one offered inside it. */
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

/** An image or frame of a pixel or two, or one marked as decoration. */
export function isForLooks(element: HtmlElement): boolean {
  const isPixel = (name: string) => Number.parseInt(attribute(element, name) ?? '', 10) <= MAX_PIXEL;
  return isPixel('width') || isPixel('height') || FOR_LOOKS.test(attribute(element, 'role') ?? '');
}
