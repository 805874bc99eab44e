import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

const read = (html: string) => extractPage(`<main>${html}</main>`, 'https://docs.example/guide').markdown;

const CODE: readonly [string, string, string][] = [
  [
    'Docusaurus',
    '<div class="language-js codeBlock"><pre class="prism-code language-js"><code><span class="token-line">a();<br></span><span class="token-line">b();<br></span></code></pre></div>',
    'js',
  ],
  [
    'VitePress',
    '<div class="language-js vp-adaptive-theme"><button>Copy</button><span class="lang">js</span><pre class="shiki"><code><span class="line"><span>a</span><span>();</span></span>\n<span class="line"><span>b();</span></span></code></pre></div>',
    'js',
  ],
  ['GitHub', '<div class="highlight highlight-source-js"><pre><span class="pl-en">a</span>();\nb();</pre></div>', 'js'],
  [
    'Sphinx',
    '<div class="highlight-js notranslate"><div class="highlight"><pre><span></span>a();\nb();\n</pre></div></div>',
    'js',
  ],
  [
    'Sphinx, numbered',
    '<div class="highlight-js"><div class="highlight"><pre><span></span><span class="linenos">1</span>a();\n<span class="linenos">2</span>b();\n</pre></div></div>',
    'js',
  ],
  [
    'Pygments, a table',
    '<table class="highlighttable"><tr><td class="linenos"><div><pre>1\n2</pre></div></td><td class="code"><div class="language-js"><pre>a();\nb();</pre></div></td></tr></table>',
    'js',
  ],
  [
    'Rouge, a table',
    '<div class="language-js highlighter-rouge"><div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>a();\nb();\n</pre></td></tr></tbody></table></code></pre></div></div>',
    'js',
  ],
  [
    'Hugo, numbered',
    '<div class="highlight"><pre class="chroma"><code class="language-js" data-lang="js"><span class="line"><span class="ln">1</span><span class="cl">a();\n</span></span><span class="line"><span class="ln">2</span><span class="cl">b();</span></span></code></pre></div>',
    'js',
  ],
  [
    'Expressive Code',
    '<pre data-language="js"><code><div class="ec-line"><div class="gutter"><div aria-hidden="true">1</div></div><div class="code">a();</div></div><div class="ec-line"><div class="code">b();</div></div></code></pre>',
    'js',
  ],
  [
    'lines that only a style sheet parts',
    '<pre class="shiki language-js"><code><span><span>a</span><span>();</span></span><span><span>b();</span></span></code></pre>',
    'js',
  ],
  [
    'MDN',
    '<div><div><span>js</span><button>Copy</button></div><pre class="brush: js notranslate"><code>a();\nb();</code></pre></div>',
    'js',
  ],
  [
    'Stack Overflow',
    '<pre class="lang-js s-code-block"><code class="hljs language-javascript">a();\nb();</code></pre>',
    'javascript',
  ],
  [
    'Pandoc',
    '<div class="sourceCode" id="cb1"><pre class="sourceCode js"><code class="sourceCode js"><span id="cb1-1">a();</span>\n<span>b();</span></code></pre></div>',
    'js',
  ],
  [
    'rustdoc',
    '<div class="example-wrap"><pre class="rust rust-example-rendered"><code>a();\nb();</code></pre></div>',
    'rust',
  ],
  [
    'ReadMe',
    '<pre><code class="rdmd-code lang-js" data-lang="js"><div class="cm-s-neo">a();\nb();</div></code></pre>',
    'js',
  ],
  [
    'GitBook',
    '<pre><code><div class="line"><span>1</span><span>a();</span></div><div class="line"><span>2</span><span>b();</span></div></code></pre>',
    '',
  ],
  [
    'Doxygen',
    '<div class="fragment"><div class="line"><span class="lineno">    1</span>a();</div>\n<div class="line"><span class="lineno">    2</span>b();</div>\n</div>',
    '',
  ],
  ['no language', '<pre class="highlight-default">a();<br>b();  \n\n</pre>', ''],
  ['no pre', '<code>a();<br>b();</code>', ''],
];
test.each(CODE)('code as %s writes it', (_, html, language) => {
  expect(read(`<p>Run:</p>${html}`)).toBe(`Run:\n\n\`\`\`${language}\na();\nb();\n\`\`\``);
});

test('numbers that are part of the code stay', () => {
  expect(read('<pre><span>1</span> apple\n<span>3</span> pears</pre>')).toContain('1 apple\n3 pears');
  expect(read('<pre><span>1</span> apple\npears</pre>')).toContain('1 apple');
});

test('fences are longer than those in the code, however many there are', () => {
  expect(read('<pre>  ````\nx</pre>')).toBe('`````\n  ````\nx\n`````');
  const many = read(`<p>${'<code>`</code>'.repeat(2)}<code>${'` '.repeat(200_000)}</code></p>`);
  expect(many.startsWith('`` ` ```` ` ``')).toBe(true);
});
