import {
  afterTag,
  BODY_END,
  BODY_START,
  beforeTag,
  editAttributes,
  editCode,
  editTags,
  editTexts,
  HEAD_END,
  insideContent,
  setAttribute,
} from './markup.ts';

/** One kind of noise: alters the bytes of a page and nothing that it says. */
export interface Mutation {
  readonly name: string;
  readonly apply: (html: string) => string;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'theme swapped',
    apply: (html) =>
      beforeTag(
        afterTag(
          editAttributes(html, (attributes, name) =>
            /^(?:pre|code)$/.test(name)
              ? attributes
              : attributes
                  .filter(
                    (attribute) =>
                      !/^(?:style|data-theme)$/i.test(attribute.name) || /none|hidden/i.test(attribute.value ?? ''),
                  )
                  .map(({ name: key, value }) =>
                    key.toLowerCase() === 'class'
                      ? { name: key, value: `"t-${hashCode(value ?? '')}"` }
                      : { name: key, value },
                  ),
          ),
          BODY_START,
          '<div class="layout"><div class="layout-inner">',
        ),
        BODY_END,
        '</div></div>',
      ).replace(HEAD_END, '<style>body{color:#222}</style><link rel="stylesheet" href="/theme-two.css"></head>'),
  },
  {
    name: 'script nonce',
    apply: (html) =>
      beforeTag(
        html.replace(/<script\b/gi, '<script nonce="q7Jm2"'),
        HEAD_END,
        '<meta http-equiv="Content-Security-Policy" content="script-src \'nonce-q7Jm2\'"><script nonce="q7Jm2">1</script>',
      ),
  },
  {
    name: 'CSRF token',
    apply: (html) =>
      afterTag(
        beforeTag(html, HEAD_END, '<meta name="csrf-token" content="kT93jd0slw">'),
        BODY_START,
        '<form action="/logout" method="post"><input type="hidden" name="csrf" value="kT93jd0slw"></form>',
      ),
  },
  {
    name: 'build hash in the names of styles and scripts',
    apply: (html) =>
      beforeTag(
        editAttributes(
          html,
          (attributes) =>
            attributes.map(({ name, value }) => ({
              name,
              value: /^(?:src|href)$/i.test(name) ? value?.replace(/\.(css|js)(?=["'?]|$)/, '.9f3b1c.$1') : value,
            })),
          'link script',
        ),
        HEAD_END,
        '<link rel="stylesheet" href="/assets/app.9f3b1c.css">',
      ),
  },
  {
    name: 'attributes in another order',
    apply: (html) => editAttributes(html, (attributes) => attributes.toReversed()),
  },
  {
    name: 'indentation',
    apply: (html) =>
      editTexts(html, (text) => (/^\s*\n\s*$/.test(text) ? '\n\n\t\t  ' : text)).replace('<body', '\n\n  <body'),
  },
  { name: 'spaces and line ends inside text', apply: (html) => editTexts(html, (text) => text.replace(/ /g, ' \n ')) },
  { name: 'windows line ends', apply: (html) => html.replace(/\r?\n/g, '\r\n') },
  {
    name: 'advertisement',
    apply: (html) =>
      insideContent(
        beforeTag(html, BODY_END, '<div id="ad-bottom"><iframe src="https://ads.example/3"></iframe></div>'),
        '<div class="ad-slot"><ins class="adsbygoogle" data-ad-slot="481"></ins><script>push()</script></div><div class="advertisement"><p>Advertisement</p><a href="https://ads.example/7">Buy the best widgets today</a></div>',
      ),
  },
  {
    name: 'navigation edited',
    apply: (html) =>
      afterTag(
        html.replace(/(<nav\b[^>]*>)/i, '$1<a href="/new">A new entry</a>'),
        BODY_START,
        '<nav><ul><li><a href="/pricing">Pricing</a></li><li><a href="/careers">We are hiring</a></li></ul></nav>',
      ),
  },
  {
    name: 'footer edited',
    apply: (html) =>
      beforeTag(
        html.replace(/(<footer\b[^>]*>)/i, '$1<p>New address: 5 Main Street</p>'),
        BODY_END,
        '<footer><p>© 2031 Example Ltd. <a href="/terms">Terms</a></p><p>Build 4711</p></footer>',
      ),
  },
  {
    name: 'wrappers round headings and code',
    apply: (html) =>
      html
        .replace(/<pre\b[\s\S]*?<\/pre>/gi, '<div class="frame"><div>$&</div></div>')
        .replace(/<table\b[^<>]*>(?:(?!<table\b)[\s\S])*?<\/table>/gi, '<div class="table-wrap">$&</div>'),
  },
  {
    name: 'relative time in the byline',
    apply: (html) =>
      insideContent(
        beforeTag(html, BODY_END, '<footer>Deployed <relative-time>3 hours ago</relative-time></footer>'),
        '<p><time datetime="2031-01-01">5 minutes ago</time></p>',
      ),
  },
  {
    name: 'last-updated stamp',
    apply: (html) => insideContent(html, '<p><em>Last updated on March 3, 2031 by Kim</em></p>'),
  },
  {
    name: 'cookie banner',
    apply: (html) =>
      afterTag(
        html,
        BODY_START,
        '<div id="consent"><p>We use cookies to improve your experience.</p><button>Accept all</button><button>Settings</button></div><div role="dialog"><h2>Your privacy</h2><p>Choose.</p></div>',
      ),
  },
  {
    name: 'inline data',
    apply: (html) =>
      beforeTag(
        html,
        BODY_END,
        '<script>window.__STATE__={"t":1893456000,"u":null}</script><script type="application/json">{"build":"x7"}</script>',
      ),
  },
  {
    name: 'comments',
    apply: (html) =>
      editTags(html, (tag) => `<!-- rendered in 12 ms -->${tag}`, 'p li h2 h3 td div').replace(
        /<body\b/i,
        '<!-- node 7 --><body',
      ),
  },
  {
    name: 'entities spelled differently',
    apply: (html) =>
      editTexts(html, (text) =>
        (text.includes('&')
          ? text.replaceAll('&amp;', '&#38;')
          : text.replace(/\b[a-z]/g, (letter) => `&#${letter.charCodeAt(0)};`)
        )
          .replaceAll('"', '&quot;')
          .replaceAll("'", '&#39;')
          .replaceAll('—', '&mdash;'),
      ),
  },
  {
    name: 'attribute quotes',
    apply: (html) =>
      editAttributes(html, (attributes) =>
        attributes.map(({ name, value }) => ({
          name,
          value: value !== undefined && /^"[^"']*"$/.test(value) ? `'${value.slice(1, -1)}'` : value,
        })),
      ),
  },
  {
    name: 'generated ids',
    apply: (html) => {
      let count = 0;
      return editAttributes(
        html,
        (attributes) =>
          attributes.some(({ name }) => name === 'id')
            ? attributes
            : setAttribute(attributes, 'id', `:r${(count++).toString(36)}:`),
        'p div ul li td span',
      );
    },
  },
  {
    name: 'tracking parameters on links',
    apply: (html) =>
      editAttributes(
        html,
        (attributes) =>
          attributes.map(({ name, value }) => ({
            name,
            value:
              name.toLowerCase() === 'href' && value !== undefined && /^["'](?:https?:|\/)[^"'?#]*["']$/.test(value)
                ? value.replace(/["']$/, '?utm_source=x&amp;gclid=1&amp;sid=9$&')
                : value,
          })),
        'a',
      ),
  },
  {
    name: 'cache buster on images',
    apply: (html) =>
      insideContent(
        editAttributes(
          html,
          (attributes) =>
            attributes.map(({ name, value }) => ({
              name,
              value: name === 'src' ? value?.replace(/["']$/, '?v=1893456000$&') : value,
            })),
          'img',
        ),
        '<img src="/pixel.gif?t=1893456000" width="1" height="1">',
      ),
  },
  {
    name: 'lazy images',
    apply: (html) =>
      insideContent(
        editAttributes(
          html,
          (attributes) => [
            ...attributes.map(({ name, value }) => ({ name: name === 'src' ? 'data-src' : name, value })),
            { name: 'loading', value: '"lazy"' },
          ],
          'img',
        ),
        '<img alt="" data-src="/blank.png" loading="lazy">',
      ),
  },
  {
    name: 'icons swapped',
    apply: (html) =>
      insideContent(
        html.replace(/<svg\b[\s\S]*?<\/svg>/gi, '<svg viewBox="0 0 9 9"><title>icon</title><path d="M0 0h9"/></svg>'),
        '<svg viewBox="0 0 9 9"><title>New icon</title><text>x</text></svg>',
      ),
  },
  {
    name: 'breadcrumbs',
    apply: (html) =>
      beforeTag(
        html,
        /<h1\b/i,
        '<nav aria-label="breadcrumb"><ol><li><a href="/">Home</a></li><li>Here</li></ol></nav><ul><li><a href="/">Start</a></li><li><a href="/docs">All docs</a></li></ul>',
      ),
  },
  {
    name: 'sidebar and table of contents',
    apply: (html) =>
      insideContent(
        afterTag(
          html,
          BODY_START,
          '<aside><h4>Guides</h4><ul><li><a href="/a">First guide</a></li><li><a href="/b">Second guide</a></li></ul></aside>',
        ),
        '<div><p>On this page</p><ul><li><a href="#one">One</a></li><li><a href="#two">Two</a><ul><li><a href="#three">Three</a></li></ul></li></ul></div>',
      ),
  },
  {
    name: 'search box',
    apply: (html) =>
      insideContent(
        html,
        '<form role="search" action="/s"><label>Search the docs <input type="search" placeholder="Search"></label><button>Go</button></form>',
      ),
  },
  {
    name: 'version selector',
    apply: (html) =>
      insideContent(html, '<div><select><option>v1.2</option><option selected>v1.3</option></select></div>'),
  },
  {
    name: 'copy buttons',
    apply: (html) =>
      insideContent(
        html
          .replace(/<\/pre>/gi, '<button type="button" aria-label="Copy code">Copy</button></pre>')
          .replace(/<\/h2>/gi, '<button>Copy link</button></h2>'),
        '<div><button>Copy page</button></div>',
      ),
  },
  { name: 'skip link', apply: (html) => afterTag(html, BODY_START, '<a href="#content">Skip to main content</a>') },
  {
    name: 'dark mode',
    apply: (html) =>
      html
        .replace(/<html\b/i, '<html data-theme="dark" style="color-scheme:dark"')
        .replace(/<body\b/i, '<body data-mode="dark"'),
  },
  {
    name: 'end tags left out',
    apply: (html) =>
      html.replace(
        /<\/(?:p|li)>(?=\s*(?:<(?:p|li|ul|ol|div|h[1-6]|pre|table|blockquote)[\s>]|<\/(?:ul|ol|div|section|article|main)>))/gi,
        (tag, at: number) => (isItemBeforeBlock(tag, html.slice(at + tag.length)) ? tag : ''),
      ),
  },
  {
    name: 'doctype and tag names in capitals',
    apply: (html) =>
      editTags(
        html.replace(/<!doctype html>/i, '<!DocType HTML>'),
        (tag) => tag.replace(/^<\/?[a-z0-9]+/i, (name) => name.toUpperCase()),
        'p div h1 h2 h3 ul li a table tr td',
      ),
  },
  {
    name: 'heading permalinks',
    apply: (html) =>
      html.replace(
        /(<h[2-4]\b[^<>]*\bid="([^"]+)"[^<>]*>)((?:(?!<\/?h[1-6])[\s\S])*?)(<\/h[2-4]>)/gi,
        '$1$3<a href="#$2" aria-label="Direct link to heading" title="Link">#</a>$4',
      ),
  },
  {
    name: 'edit link',
    apply: (html) => insideContent(html, '<p><a href="https://github.com/x/y/edit/main/z.md">Edit this page</a></p>'),
  },
  {
    name: 'previous and next',
    apply: (html) =>
      insideContent(
        html,
        '<div><div><a href="/p" rel="prev">← Previous<br>Installing</a></div><div><a href="/n">Next: Configuring →</a></div></div>',
      ),
  },
  {
    name: 'share links',
    apply: (html) =>
      insideContent(
        html,
        '<ul><li><a href="https://twitter.com/intent/tweet?url=x">Tweet</a></li><li><a href="https://www.facebook.com/sharer/sharer.php?u=x">Share</a></li></ul>',
      ),
  },
  {
    name: 'feedback widget',
    apply: (html) =>
      insideContent(
        html,
        '<div><p>Was this page helpful?</p><button>Yes</button><button>No</button></div><p>12 comments</p>',
      ),
  },
  {
    name: 'site name in the title',
    apply: (html) => (titleHoldsHeading(html) ? beforeTag(html, /<\/title\s*>/i, ' · Example Docs 2031') : html),
  },
  {
    name: 'soft hyphens and zero-width spaces',
    apply: (html) =>
      editTexts(html, (text) =>
        text.replace(/([a-z]{4})([a-z]{4})/g, '$1\u00AD$2').replace(/([A-Z][a-z]{2,}) /g, '$1\u200B '),
      ),
  },
  {
    name: 'decomposed letters',
    apply: (html) =>
      editTexts(html.replace(HEAD_END, '<meta name="x" content="é"></head>'), (text) => text.normalize('NFD')),
  },
  {
    name: 'code highlighted',
    apply: (html) =>
      insideContent(
        editCode(html, (code) =>
          code.replace(/\b(?:if|for|let|const|import|return|def|class|from|true|the)\b/g, '<span class="k">$&</span>'),
        ),
        '<style>.k{color:blue}</style>',
      ),
  },
  {
    name: 'trailing spaces in code',
    apply: (html) =>
      insideContent(
        editCode(html, (code) => code.replace(/(\S)\n/g, '$1  \n')),
        '<!-- code -->',
      ),
  },
  {
    name: 'hidden text',
    apply: (html) =>
      insideContent(
        html,
        '<div hidden>Session 83f</div><span aria-hidden="true">x</span><p style="display: none">Loading 83f</p><template><p>83f</p></template><noscript>83f</noscript>',
      ),
  },
];

function hashCode(text: string): string {
  let code = 7;
  for (const letter of text) code = (code * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return code.toString(36);
}

/** An item's end tag may be left out before another item or the end of the list only. */
function isItemBeforeBlock(tag: string, rest: string): boolean {
  return /^<\/li/i.test(tag) && !/^\s*<(?:li[\s>]|\/(?:ul|ol)>)/i.test(rest);
}

function titleHoldsHeading(html: string): boolean {
  const title = /<title[^>]*>([\s\S]*?)<\/title/i.exec(html)?.[1] ?? '';
  const [heading, another] = [...html.matchAll(/<h1\b[^>]*>([^<]*)<\/h1/gi)];
  return (
    heading?.[1] !== undefined &&
    another === undefined &&
    heading[1].trim() !== '' &&
    title.trim().startsWith(heading[1].trim())
  );
}
