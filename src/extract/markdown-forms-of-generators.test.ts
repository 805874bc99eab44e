import { describe, expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';
import { extractReading } from './extract-reading.ts';

/** The page stands below a title and a line, as most do; both are cut off again. */
function markdownOf(html: string): string {
  const start = '# T\n\nWords.\n\n';
  const { markdown } = extractPage(`<main><h1>T</h1><p>Words.</p>${html}</main>`, 'https://docs.example/guide/');
  expect(markdown.startsWith(start)).toBe(true);
  return markdown.slice(start.length);
}

/** What writes it, its HTML, the Markdown that one would copy. */
type Form = readonly [string, string, string];

const NPM_AND_YARN = '**npm**\n\n```sh\nnpm i x\n```\n\n**Yarn**\n\n```sh\nyarn add x\n```';

const TABS: readonly Form[] = [
  [
    'VitePress code groups',
    `<div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio" name="group-uMFfV" id="tab-WuQwS-q" checked><label data-title="npm" for="tab-WuQwS-q">npm</label><input type="radio" name="group-uMFfV" id="tab-C1qHdpY" ><label data-title="Yarn" for="tab-C1qHdpY">Yarn</label></div><div class="blocks">
<div class="language-sh vp-adaptive-theme active"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki" tabindex="0" v-pre=""><code><span class="line"><span>npm i x</span></span></code></pre>
</div><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki" tabindex="0" v-pre=""><code><span class="line"><span>yarn add x</span></span></code></pre>
</div></div></div>`,
    NPM_AND_YARN,
  ],
  [
    'Docusaurus',
    '<div class="tabs-container tabList_J5MA"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item tabItem_l0OV tabs__item--active">npm</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item tabItem_l0OV">Yarn</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_wHwb"><div class="language-sh codeBlockContainer_mQmQ theme-code-block" style="--prism-color:#bfc7d5;--prism-background-color:#292d3e"><div class="codeBlockContent_t_Hd"><pre tabindex="0" class="prism-code language-sh codeBlock_RMoD thin-scrollbar" style="color:#bfc7d5;background-color:#292d3e"><code class="codeBlockLines_AclH"><span class="token-line" style="color:#bfc7d5"><span class="token plain">npm i x</span><br></span></code></pre></div></div></div><div role="tabpanel" class="tabItem_wHwb" hidden=""><div class="language-sh codeBlockContainer_mQmQ theme-code-block" style="--prism-color:#bfc7d5;--prism-background-color:#292d3e"><div class="codeBlockContent_t_Hd"><pre tabindex="0" class="prism-code language-sh codeBlock_RMoD thin-scrollbar" style="color:#bfc7d5;background-color:#292d3e"><code class="codeBlockLines_AclH"><span class="token-line" style="color:#bfc7d5"><span class="token plain">yarn add x</span><br></span></code></pre></div></div></div></div></div>',
    NPM_AND_YARN,
  ],
  [
    'MkDocs Material',
    `<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio" /><input id="__tabbed_1_2" name="__tabbed_1" type="radio" /><div class="tabbed-labels"><label for="__tabbed_1_1">npm</label><label for="__tabbed_1_2">Yarn</label></div>
<div class="tabbed-content">
<div class="tabbed-block">
<div class="language-sh highlight"><pre><span></span><code>npm<span class="w"> </span>i<span class="w"> </span>x
</code></pre></div>
</div>
<div class="tabbed-block">
<div class="language-sh highlight"><pre><span></span><code>yarn<span class="w"> </span>add<span class="w"> </span>x
</code></pre></div>
</div>
</div>
</div>`,
    NPM_AND_YARN,
  ],
  [
    'sphinx-design',
    `<div class="sd-tab-set docutils"><input checked="checked" id="sd-tab-item-0" name="sd-tab-set-0" type="radio"><label class="sd-tab-label" for="sd-tab-item-0">npm</label><div class="sd-tab-content docutils"><div class="highlight-sh notranslate"><div class="highlight"><pre><span></span>npm i x
</pre></div></div></div><input id="sd-tab-item-1" name="sd-tab-set-0" type="radio"><label class="sd-tab-label" for="sd-tab-item-1">Yarn</label><div class="sd-tab-content docutils"><div class="highlight-sh notranslate"><div class="highlight"><pre><span></span>yarn add x
</pre></div></div></div></div>`,
    NPM_AND_YARN,
  ],
  [
    'Starlight',
    '<starlight-tabs class="astro-lbdxa6uj"> <div class="tablist-wrapper not-content astro-lbdxa6uj"> <ul role="tablist" class="astro-lbdxa6uj"> <li role="presentation" class="tab astro-lbdxa6uj"> <a role="tab" href="#tab-panel-3" id="tab-3" aria-selected="true" tabindex="0" class="astro-lbdxa6uj">  npm </a> </li><li role="presentation" class="tab astro-lbdxa6uj"> <a role="tab" href="#tab-panel-4" id="tab-4" aria-selected="false" tabindex="-1" class="astro-lbdxa6uj">  Yarn </a> </li> </ul> </div> <div id="tab-panel-3" aria-labelledby="tab-3" role="tabpanel"> <div class="expressive-code"><figure class="frame is-terminal not-content"><figcaption class="header"><span class="title"></span><span class="sr-only">Terminal window</span></figcaption><pre data-language="sh"><code><div class="ec-line"><div class="code"><span style="--0:#82AAFF;--1:#3B61B0">npm</span><span style="--0:#D6DEEB;--1:#403F53"> </span><span style="--0:#82AAFF;--1:#3B61B0">i</span><span style="--0:#D6DEEB;--1:#403F53"> </span><span style="--0:#82AAFF;--1:#3B61B0">x</span></div></div></code></pre><div class="copy"><div aria-live="polite"></div><button title="Copy to clipboard" data-copied="Copied!" data-code="npm i x"><div></div></button></div></figure></div> </div><div id="tab-panel-4" aria-labelledby="tab-4" role="tabpanel" hidden> <div class="expressive-code"><figure class="frame is-terminal not-content"><figcaption class="header"><span class="title"></span><span class="sr-only">Terminal window</span></figcaption><pre data-language="sh"><code><div class="ec-line"><div class="code"><span style="--0:#82AAFF;--1:#3B61B0">yarn</span><span style="--0:#D6DEEB;--1:#403F53"> </span><span style="--0:#82AAFF;--1:#3B61B0">add</span><span style="--0:#D6DEEB;--1:#403F53"> </span><span style="--0:#82AAFF;--1:#3B61B0">x</span></div></div></code></pre><div class="copy"><div aria-live="polite"></div><button title="Copy to clipboard" data-copied="Copied!" data-code="yarn add x"><div></div></button></div></figure></div> </div>  </starlight-tabs>',
    NPM_AND_YARN,
  ],
  [
    'sphinx-tabs',
    '<div class="sphinx-tabs docutils container"><div aria-label="Tabbed content" role="tablist"><button aria-controls="panel-0-0-0" aria-selected="true" class="sphinx-tabs-tab" id="tab-0-0-0" name="0-0" role="tab" tabindex="0">npm</button><button aria-controls="panel-0-0-1" aria-selected="false" class="sphinx-tabs-tab" id="tab-0-0-1" name="0-1" role="tab" tabindex="-1">Yarn</button></div><div aria-labelledby="tab-0-0-0" class="sphinx-tabs-panel" id="panel-0-0-0" name="0-0" role="tabpanel" tabindex="0"><pre class="lang-sh">npm i x</pre></div><div aria-labelledby="tab-0-0-1" class="sphinx-tabs-panel" hidden="true" id="panel-0-0-1" name="0-1" role="tabpanel" tabindex="0"><pre class="lang-sh">yarn add x</pre></div></div>',
    NPM_AND_YARN,
  ],
  [
    'Bootstrap',
    '<ul class="nav nav-tabs"><li class="active"><a href="#npm" data-toggle="tab">npm</a></li><li><a href="#yarn" data-toggle="tab">Yarn</a></li></ul><div class="tab-content"><div class="tab-pane active" id="npm"><pre class="lang-sh">npm i x</pre></div><div class="tab-pane" id="yarn"><pre class="lang-sh">yarn add x</pre></div></div>',
    NPM_AND_YARN,
  ],
  [
    'tabs whose panels are the code itself',
    '<div role="tablist"><button role="tab">npm</button><button role="tab">Yarn</button></div><div><pre class="lang-sh">npm i x</pre><pre class="lang-sh">yarn add x</pre></div>',
    NPM_AND_YARN,
  ],
  [
    'tabs in tabs',
    '<div><ul role="tablist"><li role="tab">A<li role="tab">B</ul><div><div role="tabpanel"><ul role="tablist"><li role="tab">A1<li role="tab">A2</ul><div><div role="tabpanel">one</div><div role="tabpanel" hidden>two</div></div></div><div role="tabpanel" hidden>three</div></div></div>',
    '**A**\n\n**A1**\n\none\n\n**A2**\n\ntwo\n\n**B**\n\nthree',
  ],
  [
    'a panel that says its name itself',
    '<ul role="tablist"><li role="tab" id="t1"><a href="#p1">Description</a></li></ul><div role="tabpanel" id="p1" aria-labelledby="t1"><h2>Description</h2><p>Blue.</p></div>',
    '## Description\n\nBlue.',
  ],
  [
    'radio buttons to fill in',
    '<p>One of:</p><input type="radio" id="a" name="x"><label for="a">Yes</label><input type="radio" id="b" name="x"><label for="b">No</label><p>After.</p>',
    'One of:\n\nYesNo\n\nAfter.',
  ],
];

const NOTES: readonly Form[] = [
  [
    'VitePress',
    '<div class="warning custom-block"><p class="custom-block-title">WARNING</p>\n<p>Mind.</p>\n</div>',
    '> [!WARNING]\n> Mind.',
  ],
  [
    'VitePress with a title',
    '<div class="danger custom-block"><p class="custom-block-title">STOP</p>\n<p>Danger <em>zone</em>.</p>\n<ul><li>a</li></ul></div>',
    '> [!CAUTION] STOP\n> Danger *zone*.\n>\n> - a',
  ],
  [
    'VitePress with words in a title',
    '<div class="info custom-block"><p class="custom-block-title">Custom <em>title</em></p>\n<p>Hi</p>\n</div>',
    '> [!NOTE] Custom *title*\n> Hi',
  ],
  [
    'VitePress, folded',
    '<details class="details custom-block"><summary>Click me</summary>\n<p>Hi</p>\n</details>',
    '**Click me**\n\nHi',
  ],
  [
    'Docusaurus',
    '<div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg viewBox="0 0 12 16"><path d="M6"></path></svg></span>tip</div><div class="admonitionContent_BuS1"><p>Mind.</p></div></div>',
    '> [!TIP]\n> Mind.',
  ],
  [
    'Docusaurus with a title',
    '<div class="theme-admonition theme-admonition-danger admonition_xJq3 alert alert--danger"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg></svg></span>Take care</div><div class="admonitionContent_BuS1"><p>Mind.</p></div></div>',
    '> [!CAUTION] Take care\n> Mind.',
  ],
  [
    'Docusaurus, folded',
    '<details class="details_lb9f alert alert--info details_b_Ee" data-collapsed="true"><summary>More</summary><div><div class="collapsibleContent_i85q"><p>Hi</p></div></div></details>',
    '**More**\n\nHi',
  ],
  [
    'Starlight',
    '<aside aria-label="Note" class="starlight-aside starlight-aside--note"><p class="starlight-aside__title" aria-hidden="true"><svg viewBox="0 0 24 24" width="16" height="16" fill="currentColor" class="starlight-aside__icon"><path d="M12 11Z"></path></svg>Note</p><div class="starlight-aside__content"><p>Mind.</p></div></aside>',
    '> [!NOTE]\n> Mind.',
  ],
  [
    'Starlight with a title',
    '<aside aria-label="Did you know?" class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title" aria-hidden="true"><svg viewBox="0 0 24 24" width="16" height="16" fill="currentColor" class="starlight-aside__icon"><path d="M12 11Z"></path></svg>Did you know?</p><div class="starlight-aside__content"><p>Mind.</p></div></aside>',
    '> [!TIP] Did you know?\n> Mind.',
  ],
  [
    'MkDocs',
    '<div class="admonition note">\n<p class="admonition-title">Note</p>\n<p>Mind.</p>\n</div>',
    '> [!NOTE]\n> Mind.',
  ],
  [
    'MkDocs with a title',
    '<div class="admonition failure">\n<p class="admonition-title">It breaks: <code>x</code></p>\n<p>Mind.</p>\n</div>',
    '> [!CAUTION] It breaks: `x`\n> Mind.',
  ],
  ['MkDocs without a title', '<div class="admonition warning">\n<p>Mind.</p>\n</div>', '> [!WARNING]\n> Mind.'],
  [
    'MkDocs, folded',
    '<details class="tip" open="open">\n<summary>Try this</summary>\n<p>Mind.</p>\n</details>',
    '> [!TIP] Try this\n> Mind.',
  ],
  [
    'Sphinx',
    '<div class="admonition seealso">\n<p class="admonition-title">See also</p>\n<p>Mind.</p>\n</div>',
    '> [!NOTE] See also\n> Mind.',
  ],
  [
    'Sphinx with a title',
    '<div class="admonition-mind-the-gap admonition">\n<p class="admonition-title">Mind the gap</p>\n<p>Mind.</p>\n</div>',
    '> [!NOTE] Mind the gap\n> Mind.',
  ],
  [
    'Sphinx, a topic',
    '<aside class="topic">\n<p class="topic-title">Key terms</p>\n<p>Mind.</p>\n</aside>',
    '> [!NOTE] Key terms\n> Mind.',
  ],
  [
    'Sphinx, a sidebar',
    '<aside class="sidebar">\n<p class="sidebar-title">Key terms</p>\n<p>Mind.</p>\n</aside>',
    '> [!NOTE] Key terms\n> Mind.',
  ],
  [
    'GitHub',
    '<div class="markdown-alert markdown-alert-important"><p class="markdown-alert-title"><svg class="octicon"></svg>Important</p><p>Mind.</p>\n</div>',
    '> [!IMPORTANT]\n> Mind.',
  ],
  [
    'mdBook',
    '<blockquote class="blockquote-tag blockquote-tag-caution">\n<p class="blockquote-tag-title"><svg></svg>Caution</p>\n<p>Mind.</p>\n</blockquote>',
    '> [!CAUTION]\n> Mind.',
  ],
  [
    'Asciidoctor',
    '<div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td><td class="content">Mind.</td></tr></table></div>',
    '> [!TIP]\n> Mind.',
  ],
  [
    'Quarto',
    '<div class="callout callout-style-default callout-note callout-titled"><div class="callout-header d-flex align-content-center"><div class="callout-icon-container"><i class="callout-icon"></i></div><div class="callout-title-container flex-fill">Pay heed</div></div><div class="callout-body-container callout-body"><p>Mind.</p></div></div>',
    '> [!NOTE] Pay heed\n> Mind.',
  ],
  ['Bootstrap, a message in a colour', '<div class="alert alert-warning" role="alert">Mind.</div>', 'Mind.'],
  [
    'a title in another language',
    '<div class="admonition warning"><p class="admonition-title">Achtung</p><p>Obacht.</p></div>',
    '> [!WARNING] Achtung\n> Obacht.',
  ],
  [
    'a note in an item',
    '<ul><li>One<div class="admonition note"><p class="admonition-title">Note</p><p>Mind.</p></div></li></ul>',
    '- One\n\n  > [!NOTE]\n  > Mind.',
  ],
  [
    'code in a note',
    '<div class="admonition note"><p class="admonition-title">Note</p><pre>a\nb</pre><p>c</p></div><p>d</p>',
    '> [!NOTE]\n> ```\n> a\n> b\n> ```\n>\n> c\n\nd',
  ],
  ['a card, which is no note', '<div class="card"><p class="card-title">Fast</p><p>Yes.</p></div>', 'Fast\n\nYes.'],
];

const A_AND_B = '```js\na();\nb();\n```';

const CODE: readonly Form[] = [
  [
    'Docusaurus, lines as blocks',
    '<div class="language-js codeBlockContainer_Ckt0 theme-code-block" style="--prism-color:#393A34;--prism-background-color:#f6f8fa"><div class="codeBlockContent_QJqH"><pre tabindex="0" class="prism-code language-js codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv"><div class="token-line" style="color:#393A34"><span class="token function" style="color:#d73a49">a</span><span class="token punctuation" style="color:#393A34">(</span><span class="token punctuation" style="color:#393A34">)</span><span class="token punctuation" style="color:#393A34">;</span><span class="token plain"></span><br></div><div class="token-line" style="color:#393A34"><span class="token plain"></span><span class="token function" style="color:#d73a49">b</span><span class="token punctuation" style="color:#393A34">(</span><span class="token punctuation" style="color:#393A34">)</span><span class="token punctuation" style="color:#393A34">;</span><br></div></code></pre></div></div>',
    A_AND_B,
  ],
  [
    'Starlight, the name of a file',
    '<div class="expressive-code"><figure class="frame has-title not-content"><figcaption class="header"><span class="title">x.js</span></figcaption><pre data-language="js"><code><div class="ec-line"><div class="code"><span style="--0:#82AAFF;--1:#3B61B0">a</span><span style="--0:#D6DEEB;--1:#403F53">();</span></div></div><div class="ec-line"><div class="code"><span style="--0:#82AAFF;--1:#3B61B0">b</span><span style="--0:#D6DEEB;--1:#403F53">();</span></div></div></code></pre><div class="copy"><div aria-live="polite"></div><button title="Copy to clipboard" data-copied="Copied!" data-code="a();\x7fb();"><div></div></button></div></figure></div>',
    `x.js\n\n${A_AND_B}`,
  ],
  [
    'MkDocs, a numbered line',
    '<div class="language-py highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal"><a href="#__codelineno-2-1">1</a></span></pre></div></td><td class="code"><div><pre><span></span><code><a id="__codelineno-2-1" name="__codelineno-2-1"></a><span class="n">a</span><span class="p">()</span>\n</code></pre></div></td></tr></table></div>',
    '```py\na()\n```',
  ],
  [
    'MkDocs, numbered lines under the name of a file',
    '<div class="language-py highlight"><table class="highlighttable"><tr><th colspan="2" class="filename"><span class="filename">x.py</span></th></tr><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal"><a href="#__codelineno-3-1">1</a></span>\n<span class="normal"><a href="#__codelineno-3-2">2</a></span></pre></div></td><td class="code"><div><pre><span></span><code><a id="__codelineno-3-1" name="__codelineno-3-1"></a><span class="n">a</span><span class="p">()</span>\n<a id="__codelineno-3-2" name="__codelineno-3-2"></a><span class="n">b</span><span class="p">()</span>\n</code></pre></div></td></tr></table></div>',
    'x.py\n\n```py\na()\nb()\n```',
  ],
  [
    'Sphinx, a numbered line',
    '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="linenos">1</span><span class="n">a</span><span class="p">()</span>\n</pre></div>\n</div>',
    '```python\na()\n```',
  ],
  [
    'Hexo',
    '<figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line"><span class="title function_">a</span>();</span><br><span class="line"><span class="title function_">b</span>();</span><br></pre></td></tr></table></figure>',
    A_AND_B,
  ],
  [
    'Hexo, one line under its caption',
    '<figure class="highlight js"><figcaption><span>x.js</span></figcaption><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td><td class="code"><pre><span class="line"><span class="title function_">a</span>();</span><br></pre></td></tr></table></figure>',
    'x.js\n\n```js\na();\n```',
  ],
  [
    'Hugo, a table',
    '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code><span class="lnt">1\n</span></code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-js" data-lang="js"><span class="line"><span class="cl"><span class="nx">a</span><span class="p">();</span></span></span></code></pre></td></tr></table></div></div>',
    '```js\na();\n```',
  ],
  [
    'GitHub, a file',
    '<div class="highlight highlight-source-js"><table class="highlight tab-size js-file-line-container" data-tab-size="8"><tbody><tr><td id="L1" class="blob-num js-line-number" data-line-number="1"></td><td id="LC1" class="blob-code blob-code-inner js-file-line"><span class="pl-en">a</span>();</td></tr><tr><td id="L2" class="blob-num js-line-number" data-line-number="2"></td><td id="LC2" class="blob-code blob-code-inner js-file-line">\n</td></tr><tr><td id="L3" class="blob-num js-line-number" data-line-number="3"></td><td id="LC3" class="blob-code blob-code-inner js-file-line">  b();</td></tr></tbody></table></div>',
    '```js\na();\n\n  b();\n```',
  ],
  [
    'a list that is numbered in a table',
    '<table><tr><th>#<th>Fruit<tr><td>1<td>apple<tr><td>2<td>pear</table>',
    '| # | Fruit |\n| --- | --- |\n| 1 | apple |\n| 2 | pear |',
  ],
  ['data-lang', '<pre><span></span><code data-lang="js">a();\nb();</code></pre>', A_AND_B],
  ['lang-x', '<pre><span></span><code class="lang-js">a();\nb();</code></pre>', A_AND_B],
  [
    'MediaWiki',
    '<div class="mw-highlight mw-highlight-lang-js mw-content-ltr" dir="ltr"><pre><span></span>a();\nb();\n</pre></div>',
    A_AND_B,
  ],
];

const TABLES: readonly Form[] = [
  [
    'markdown-it',
    '<table tabindex="0">\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align:center">b</th>\n<th style="text-align:right">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td style="text-align:center">2</td>\n<td style="text-align:right">3</td>\n</tr>\n</tbody>\n</table>',
    '| a | b | c |\n| --- | :---: | ---: |\n| 1 | 2 | 3 |',
  ],
  [
    'GitHub',
    '<table><thead><tr><th align="left">a</th><th align="right">b</th></tr></thead><tbody><tr><td align="left">1</td><td align="right">2</td></tr></tbody></table>',
    '| a | b |\n| :--- | ---: |\n| 1 | 2 |',
  ],
  [
    'Asciidoctor',
    '<table class="tableblock frame-all"><thead><tr><th class="tableblock halign-left valign-top">a</th><th class="tableblock halign-center valign-top">b</th></tr></thead><tbody><tr><td class="tableblock halign-left valign-top"><p class="tableblock">1</p></td><td class="tableblock halign-center valign-top"><p class="tableblock">2</p></td></tr></tbody></table>',
    '| a | b |\n| --- | :---: |\n| 1 | 2 |',
  ],
  [
    'Sphinx, code and lists in cells',
    '<table class="docutils align-default">\n<tbody>\n<tr class="row-odd"><td><p>a</p></td>\n<td><div class="highlight-js notranslate"><div class="highlight"><pre><span></span><span class="n">x</span> &lt; 1\n\n<span class="n">y</span>\n</pre></div>\n</div>\n</td>\n</tr>\n<tr class="row-even"><td><p>b</p></td>\n<td><ul class="simple">\n<li><p>one</p></li>\n<li><p>two</p></li>\n</ul>\n</td>\n</tr>\n</tbody>\n</table>',
    '<table>\n<tr><td><p>a</p></td><td><pre lang="js">x &lt; 1&#10;\ny</pre></td></tr>\n<tr><td><p>b</p></td><td><ul><li><p>one</p></li><li><p>two</p></li></ul></td></tr>\n</table>',
  ],
  [
    'links and spans in such a table',
    '<table><caption>Limits</caption><tr><th colspan="2">Head</th></tr><tr><td><a href="/x?a=1&amp;b=&quot;2" onclick="x()">A</a> <script>1</script><b class="y">B</b> <a href="javascript:x()">C</a></td><td><ol><li>one</ol></td></tr></table>',
    'Limits\n\n<table>\n<tr><th colspan="2">Head</th></tr>\n<tr><td><a href="https://docs.example/x?a=1&amp;b=%222">A</a> <b>B</b> C</td><td><ol><li>one</li></ol></td></tr>\n</table>',
  ],
];

const FORMULAS: readonly Form[] = [
  [
    'kramdown',
    '<p>Let <script type="math/tex">x^2 < 1</script> be.</p><script type="math/tex; mode=display">% <![CDATA[\na & b %]]></script>',
    'Let $x^2 < 1$ be.\n\n$$a & b$$',
  ],
  [
    'MathJax 2, drawn',
    '<p>Let <span class="MathJax_Preview" style="color: inherit;"></span><span class="MathJax" id="MathJax-Element-1-Frame" tabindex="0"><nobr aria-hidden="true"><span class="math">x2</span></nobr><span class="MJX_Assistive_MathML" role="presentation"><math><msup><mi>x</mi><mn>2</mn></msup></math></span></span><script type="math/tex" id="MathJax-Element-1">x^2</script> be.</p>',
    'Let $x^2$ be.',
  ],
  [
    'Sphinx',
    '<div class="math notranslate nohighlight">\n\\[x^2\\]</div>\n<p>Inline <span class="math notranslate nohighlight">\\(y_1\\)</span>.</p>',
    '$$x^2$$\n\nInline $y_1$.',
  ],
  [
    'MkDocs',
    '<div class="arithmatex">\\[\nx^2\n\\]</div>\n<p>Inline <span class="arithmatex">\\(y_1\\)</span> math.</p>',
    '$$x^2$$\n\nInline $y_1$ math.',
  ],
  [
    'Wikipedia',
    '<p>Let <span class="mwe-math-element mwe-math-element-inline"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math xmlns="http://www.w3.org/1998/Math/MathML" alttext="{\\displaystyle x^{2}}"><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">{\\displaystyle x^{2}}</annotation></semantics></math></span><img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/b5a0" class="mwe-math-fallback-image-inline mw-invert" aria-hidden="true" style="vertical-align: -0.338ex" alt="{\\displaystyle x^{2}}"></span> be.</p>',
    'Let $x^{2}$ be.',
  ],
  [
    'WordPress',
    '<p>Let <img src="https://s0.wp.com/latex.php?latex=x%5E2&#038;bg=ffffff" alt="x^2" title="x^2" class="latex" /> be.</p>',
    'Let $x^2$ be.',
  ],
];

const MEDIA: readonly Form[] = [
  [
    'YouTube',
    '<div class="video-container"><iframe width="560" height="315" src="https://www.youtube.com/embed/abc" title="How to start" frameborder="0" allowfullscreen></iframe></div>',
    '[How to start](https://www.youtube.com/embed/abc)',
  ],
  [
    'a frame without a title',
    '<iframe src="https://codepen.io/x/embed/y"></iframe>',
    '[codepen.io](https://codepen.io/x/embed/y)',
  ],
  [
    'a video with sources',
    '<p>See:</p><video controls aria-label="The tour"><source src="/tour.webm" type="video/webm"><source src="/tour.mp4">Your browser cannot play it. <a href="/tour.mp4">Download</a></video>',
    'See:\n\n[The tour](https://docs.example/tour.webm)',
  ],
  ['a sound', '<audio src="talk.mp3" controls>no</audio>', '[talk.mp3](https://docs.example/guide/talk.mp3)'],
  [
    'a document',
    '<object data="/a.pdf" type="application/pdf" title="The paper"><p>No plug-in.</p></object>',
    '[The paper](https://docs.example/a.pdf)',
  ],
  [
    'pixels of trackers',
    '<p>a</p><iframe src="https://t.example/p" width="0" height="0"></iframe><img src="https://t.example/p.gif" width="1" height="1" alt="pixel"><noscript><img height="1" width="1" style="display:none" alt="pixel" src="https://www.facebook.com/tr?id=1"/><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-1"></iframe></noscript><p>b</p>',
    'a\n\nb',
  ],
];

const WORDS: readonly Form[] = [
  [
    'VitePress, a name and a slogan in one heading',
    '<h1 class="heading" data-v-4f9c455b><span class="name clip" data-v-4f9c455b>Lantern</span><span class="text" data-v-4f9c455b>Feature flags in plain files</span></h1><p class="tagline" data-v-4f9c455b>Reviewed like code.</p>',
    '# Lantern Feature flags in plain files\n\nReviewed like code.',
  ],
  [
    'a word in two colours',
    '<h2><span class="j">Java</span><span class="s">Script</span></h2><p>a</p>',
    '## JavaScript\n\na',
  ],
  [
    'MkDocs, tasks',
    '<ul class="task-list">\n<li class="task-list-item"><label class="task-list-control"><input type="checkbox" checked/><span class="task-list-indicator"></span></label> done</li>\n<li class="task-list-item"><label class="task-list-control"><input type="checkbox"/><span class="task-list-indicator"></span></label> open</li>\n</ul>',
    '- [x] done\n- [ ] open',
  ],
  [
    'Pandoc, tasks',
    '<ul class="task-list">\n<li><label><input type="checkbox" checked="" />done</label></li>\n<li><label><input type="checkbox" />open</label></li>\n</ul>',
    '- [x] done\n- [ ] open',
  ],
  ['a heading by its role', '<div role="heading" aria-level="3" id="x">Part</div><p>a</p>', '### Part\n\na'],
  [
    'letters',
    '<ol type="a"><li>one<li>two<ol type="i" start="4"><li>deep</ol></ol>',
    '- a. one\n- b. two\n  - iv. deep',
  ],
  [
    'Sphinx, letters',
    '<ol class="loweralpha simple">\n<li><p>one</p></li>\n<li><p>two</p></li>\n</ol>',
    '- a. one\n- b. two',
  ],
  [
    'the title of a link',
    '<p><a href="/x" title="Opens the &quot;big&quot; list">x</a></p>',
    '[x](https://docs.example/x "Opens the \'big\' list")',
  ],
  [
    'titles that say nothing new',
    '<p><a href="/wiki/Bar_(unit)" title="Bar (unit)">bars</a> <a href="os.html#os.path" title="os.path">path</a> <a href="/y" title="The Y">the y</a></p>',
    '[bars](https://docs.example/wiki/Bar_(unit)) [path](https://docs.example/guide/os.html#os.path) [the y](https://docs.example/y)',
  ],
  [
    'equal paragraphs',
    '<p>Row, row, row your boat gently.</p><p>Row, row, row your boat gently.</p>',
    'Row, row, row your boat gently.\n\nRow, row, row your boat gently.',
  ],
  [
    'MediaWiki, [edit]',
    '<h2><span class="mw-headline" id="History">History</span><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w/index.php?title=X&amp;veaction=edit&amp;section=1" title="Edit section: History" class="mw-editsection-visualeditor"><span>edit</span></a><span class="mw-editsection-divider"> | </span><a href="/w/index.php?title=X&amp;action=edit&amp;section=1" title="Edit section\'s source code: History"><span>edit source</span></a><span class="mw-editsection-bracket">]</span></span></h2><p>a</p>',
    '## History\n\na',
  ],
  [
    'MediaWiki, where it was retrieved from',
    '<p>a</p><div class="printfooter" data-nosnippet="">Retrieved from "<a dir="ltr" href="https://wiki.example/index.php?title=X&amp;oldid=9">https://wiki.example/index.php?title=X&amp;oldid=9</a>"</div>',
    'a',
  ],
  [
    'rustdoc, links to the source',
    '<section id="method.new" class="method"><a class="src rightside" href="../../src/alloc/vec/mod.rs.html#423">Source</a><h4 class="code-header">pub fn <a href="#method.new" class="fn">new</a>()</h4></section><p>a</p>',
    '#### pub fn new()\n\na',
  ],
  [
    'Sphinx, links to the source',
    '<dl class="py function">\n<dt class="sig sig-object py" id="f">\n<span class="sig-name descname"><span class="pre">f</span></span><span class="sig-paren">(</span><span class="sig-paren">)</span><a class="reference internal" href="_modules/x.html#f"><span class="viewcode-link"><span class="pre">[source]</span></span></a><a class="headerlink" href="#f" title="Permalink to this definition">¶</a></dt>\n<dd><p>Runs.</p>\n</dd></dl>',
    'f()\n: Runs.',
  ],
  [
    'a label beside code',
    '<div class="code"><span class="tip">Copy to clipboard</span><clipboard-copy>Copied!</clipboard-copy><pre class="lang-sh">a<span class="copy">Copy to clipboard</span></pre></div>',
    '```sh\na\n```',
  ],
];

describe.each([
  ['tabs', TABS],
  ['notes', NOTES],
  ['code', CODE],
  ['tables', TABLES],
  ['formulas', FORMULAS],
  ['media', MEDIA],
  ['words', WORDS],
] as const)('%s', (_, forms) => {
  test.each(forms)('%s', (_name, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});

/** As a reader gets a page that is neither manual nor article. */
function readingOf(body: string): string {
  return extractReading(`<body>${body}</body>`, 'https://shop.example/').markdown;
}

test('what an author says twice in a row is read twice, and a copy elsewhere once', () => {
  const line = 'Row, row, row your boat, gently down the stream.';
  const said = readingOf(`<div><p>${line}</p><p>${line}</p></div><div><p>Other words.</p><p>${line}</p></div>`);
  expect(said).toBe(`${line}\n\n${line}\n\nOther words.`);
});

test('markup that a server escaped inside noscript is no text', () => {
  const pixel = '&lt;img height="1" width="1" src="https://t.example/tr?id=1"&gt;';
  expect(readingOf(`<p>Turn on scripts.</p><noscript>${pixel.repeat(30)}</noscript>`)).toBe('Turn on scripts.');
});
