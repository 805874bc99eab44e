/** One text, set by five kinds of site generator. What it says is the same in all of them. */

interface MadePage {
  readonly style: string;
  readonly url: string;
  readonly html: string;
}

const URL_OF_PAGE = 'https://docs.example/guide/limits.html';

interface Part {
  readonly id: string;
  readonly heading: string;
  readonly html: string;
}

const INTRO = `<p>Every account has limits, and every limit can be <a href="/guide/raise.html">raised</a>. Résumé &amp; “quotes” — as written.</p>
<img src="/img/limits.png" alt="A gauge near its end">`;

const PARTS: readonly Part[] = [
  {
    id: 'requests',
    heading: 'Requests per minute',
    html: `<p>You may send <strong>600</strong> requests per minute. The answer to the next one is <code>429</code>.</p>
<ul>
<li>Reads count once.</li>
<li>Writes count twice:
<ul><li>also when they fail</li><li>also when they are retried</li></ul>
</li>
</ul>`,
  },
  {
    id: 'example',
    heading: 'Example',
    html: `<p>Wait as long as the server says:</p>
<pre><code class="language-js">const wait = Number(response.headers.get('retry-after'));
if (wait &gt; 0) {
  await sleep(wait * 1000);
}
</code></pre>`,
  },
  {
    id: 'sizes',
    heading: 'Sizes',
    html: `<table>
<thead><tr><th>Plan</th><th>Upload</th></tr></thead>
<tbody><tr><td>Free</td><td>5 MB</td></tr><tr><td>Team</td><td>50 MB</td></tr></tbody>
</table>
<blockquote><p>Larger files go through the bulk service.</p></blockquote>`,
  },
  {
    id: 'questions',
    heading: 'Questions',
    html: `<dl><dt>Is there a trial?</dt><dd><p>Yes, for thirty days.</p></dd></dl>
<details><summary>And afterwards?</summary><p>You choose a plan, or the account sleeps.</p></details>`,
  },
];

const TITLE = 'Limits';

export const MADE_PAGES: readonly MadePage[] = [
  { style: 'Sphinx', url: URL_OF_PAGE, html: sphinx() },
  { style: 'Docusaurus', url: URL_OF_PAGE, html: docusaurus() },
  { style: 'MkDocs', url: URL_OF_PAGE, html: mkdocs() },
  { style: 'Hugo', url: URL_OF_PAGE, html: hugo() },
  { style: 'plain', url: URL_OF_PAGE, html: plain() },
];

function sphinx(): string {
  const sections = PARTS.map(
    ({ id, heading, html }) =>
      `<section id="${id}">\n<h2>${heading}<a class="headerlink" href="#${id}" title="Link to this heading">¶</a></h2>\n${html.replace('<pre>', '<div class="highlight-js notranslate"><div class="highlight"><pre><span></span>').replace('</pre>', '</pre></div></div>')}\n</section>`,
  );
  return `<!DOCTYPE html>
<html lang="en" data-content_root="../">
<head><meta charset="utf-8"><title>${TITLE} &#8212; Example 2.0 documentation</title>
<link rel="stylesheet" href="../_static/alabaster.css?v=7f8d"><script src="../_static/doctools.js?v=9a2d"></script></head>
<body>
<div class="related" role="navigation" aria-label="Related"><h3>Navigation</h3><ul><li><a href="../genindex.html">index</a></li></ul></div>
<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main">
<section id="limits"><h1>${TITLE}<a class="headerlink" href="#limits" title="Link to this heading">¶</a></h1>
${INTRO}
${sections.join('\n')}
</section>
</div></div></div>
<div class="sphinxsidebar" role="navigation" aria-label="Main"><h3><a href="../index.html">Table of Contents</a></h3><ul><li><a href="#requests">Requests per minute</a></li></ul>
<h4>Previous topic</h4><p><a href="start.html">Start</a></p></div></div>
<div class="footer">©2031, Example. | Powered by <a href="https://www.sphinx-doc.org/">Sphinx 7.2</a></div>
</body></html>`;
}

function docusaurus(): string {
  const sections = PARTS.map(
    ({ id, heading, html }) =>
      `<h2 class="anchor anchorWithStickyNavbar_x1" id="${id}">${heading}<a href="#${id}" class="hash-link" aria-label="Direct link to ${heading}" title="Direct link to ${heading}">\u200B</a></h2>\n${html}`,
  );
  return `<!doctype html>
<html lang="en" dir="ltr" class="docs-wrapper plugin-docs" data-has-hydrated="false">
<head><meta charset="UTF-8"><title data-rh="true">${TITLE} | Example</title><link rel="stylesheet" href="/assets/css/styles.4c1d.css"></head>
<body class="navigation-with-keyboard"><script>!function(){document.documentElement.setAttribute("data-theme","light")}()</script>
<div id="__docusaurus"><div role="region" aria-label="Skip to main content"><a class="skipToContent" href="#__docusaurus_skipToContent_fallback">Skip to main content</a></div>
<nav aria-label="Main" class="navbar"><a href="/">Example</a><button>Search</button></nav>
<div id="__docusaurus_skipToContent_fallback" class="main-wrapper"><aside class="sidebar"><nav><ul><li><a href="/guide/start.html">Start</a></li></ul></nav></aside>
<main class="docMainContainer"><div class="container"><div class="row"><div class="col"><div class="docItemContainer"><article>
<nav class="breadcrumbs" aria-label="Breadcrumbs"><ul><li><a href="/">Home</a></li><li><span>${TITLE}</span></li></ul></nav>
<div class="theme-doc-markdown markdown"><header><h1>${TITLE}</h1></header>
${INTRO}
${sections.join('\n')}
</div>
<footer class="docFooter"><div><a href="https://github.com/example/docs/edit/main/limits.md">Edit this page</a></div><div>Last updated on <b><time datetime="2031-01-01">Jan 1, 2031</time></b></div></footer>
</article><nav class="pagination-nav" aria-label="Docs pages"><a href="/guide/start.html"><div>Previous</div><div>Start</div></a></nav></div></div>
<div class="col col--3"><div class="tableOfContents"><ul><li><a href="#requests">Requests per minute</a></li><li><a href="#example">Example</a></li></ul></div></div></div></div></main></div>
<footer class="footer">Copyright © 2031 Example</footer></div>
<script src="/assets/js/main.8a7b.js"></script></body></html>`;
}

function mkdocs(): string {
  const sections = PARTS.map(
    ({ id, heading, html }) =>
      `<h2 id="${id}">${heading}<a class="headerlink" href="#${id}" title="Permanent link">&para;</a></h2>\n${html}`,
  );
  return `<!doctype html>
<html lang="en" class="no-js">
<head><meta charset="utf-8"><meta name="generator" content="mkdocs-1.5, mkdocs-material-9.4"><title>${TITLE} - Example</title></head>
<body dir="ltr" data-md-color-scheme="default">
<input class="md-toggle" type="checkbox" id="__drawer"><label class="md-overlay" for="__drawer"></label>
<div data-md-component="skip"><a href="#limits" class="md-skip">Skip to content</a></div>
<header class="md-header"><nav><a href="..">Example</a></nav><div role="search"><form><input placeholder="Search"></form></div></header>
<div class="md-container"><main class="md-main"><div class="md-main__inner md-grid">
<div class="md-sidebar"><nav aria-label="Navigation"><ul><li><a href="../start/">Start</a></li></ul></nav></div>
<div class="md-sidebar md-sidebar--secondary"><nav aria-label="Table of contents"><ul><li><a href="#requests">Requests per minute</a></li></ul></nav></div>
<div class="md-content"><article class="md-content__inner md-typeset">
<a href="https://github.com/example/docs/edit/main/limits.md" title="Edit this page" class="md-content__button"><svg viewBox="0 0 24 24"><path d="M10 20H6"/></svg></a>
<h1 id="limits">${TITLE}<a class="headerlink" href="#limits" title="Permanent link">&para;</a></h1>
${INTRO}
${sections.join('\n')}
<aside class="md-source-file"><span>Last update: <span>January 1, 2031</span></span></aside>
</article></div></div></main>
<footer class="md-footer"><nav aria-label="Footer"><a href="../start/" rel="prev">Start</a></nav></footer></div></body></html>`;
}

function hugo(): string {
  const sections = PARTS.map(({ id, heading, html }) => `<h2 id="${id}">${heading}</h2>\n${html}`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${TITLE} :: Example</title></head><body>
<header><h2><a href="/">Example</a></h2><nav><a href="/guide/">Guide</a></nav></header>
<div class="wrapper"><div class="content"><h1>${TITLE}</h1>
${INTRO}
${sections.join('\n')}
</div></div>
<footer><p>Built with Hugo 0.120</p></footer></body></html>`;
}

function plain(): string {
  const sections = PARTS.map(({ id, heading, html }) => `<a name="${id}"></a>\n<h2>${heading}</h2>\n${html}`);
  return `<html><head><meta charset="utf-8"><title>${TITLE}</title></head>
<body bgcolor="#ffffff">
<p><a href="start.html">Start</a> | <a href="../index.html">Index</a></p>
<h1>${TITLE}</h1>
${INTRO}
${sections.join('\n')}
</body></html>`;
}
