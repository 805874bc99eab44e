import { describe, expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

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
    '<div class="theme-tabs-container tabs-container tabList__CuJ"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item tabItem_LNqP tabs__item--active">npm</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item tabItem_LNqP">Yarn</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6"><div class="language-sh codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-sh codeBlock_bY9V"><code class="codeBlockLines_e6Vv"><span class="token-line"><span class="token plain">npm i x</span><br></span></code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" title="Copy" class="clean-btn"></button></div></div></div></div><div role="tabpanel" class="tabItem_Ymn6" hidden=""><div class="language-sh codeBlockContainer_Ckt0 theme-code-block"><pre tabindex="0" class="prism-code language-sh"><code><span class="token-line">yarn add x<br></span></code></pre></div></div></div></div>',
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
    '<starlight-tabs><div class="tablist-wrapper not-content"><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-0" id="tab-0" aria-selected="true" tabindex="0">npm</a></li><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1" id="tab-1" aria-selected="false" tabindex="-1">Yarn</a></li></ul></div><div id="tab-panel-0" aria-labelledby="tab-0" role="tabpanel"><div class="expressive-code"><figure class="frame"><figcaption class="header"></figcaption><pre data-language="sh"><code><div class="ec-line"><div class="code">npm i x</div></div></code></pre></figure></div></div><div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel" hidden><div class="expressive-code"><figure class="frame"><pre data-language="sh"><code><div class="ec-line"><div class="code">yarn add x</div></div></code></pre></figure></div></div></starlight-tabs>',
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
    '<aside aria-label="Note" class="starlight-aside starlight-aside--note"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Note</p><div class="starlight-aside__content"><p>Mind.</p></div></aside>',
    '> [!NOTE]\n> Mind.',
  ],
  [
    'Starlight with a title',
    '<aside aria-label="Did you know?" class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Did you know?</p><div class="starlight-aside__content"><p>Mind.</p></div></aside>',
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
  ['Bootstrap', '<div class="alert alert-warning" role="alert">Mind.</div>', '> [!WARNING]\n> Mind.'],
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

describe.each([
  ['tabs', TABS],
  ['notes', NOTES],
] as const)('%s', (_, forms) => {
  test.each(forms)('%s', (_name, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });
});
