import { hash } from 'node:crypto';

/** All of the page's looks. It has no script and loads nothing. */
export const HOME_STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --faint: #60666d; --line: #d9dde2; --back: #fff; --panel: #f6f7f9;
  --link: #0b57b0; --ok: #1a7f37; --degraded: #8a5a00; --error: #c0262d; --disabled: #60666d; --quiet: #6e40c9; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e6ea; --faint: #9aa2ab; --line: #33383f; --back: #14171a;
  --panel: #1c2024; --link: #7cb4ff; --ok: #4cc26a; --degraded: #e0a93b; --error: #ff7b78; --disabled: #9aa2ab;
  --quiet: #b794f6; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 3rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
p { margin: .25rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
a, td, p, li { overflow-wrap: anywhere; }
code { font: .875em ui-monospace, monospace; }
.faint { color: var(--faint); }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 1rem 0 0; padding: 0; }
.counts li { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .4rem .8rem; }
.counts b { font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
.feeds { list-style: none; margin: 0 0 .5rem; padding: 0; }
.warning { border-left: .3rem solid var(--error); background: var(--panel); margin-top: 1rem; padding: .5rem .8rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; color: var(--faint); padding-bottom: .4rem; }
th { text-align: left; color: var(--faint); font-weight: 600; font-size: .8125rem; }
th, td { border-bottom: 1px solid var(--line); padding: .45rem .75rem .45rem 0; vertical-align: top; }
td { overflow: hidden; overflow: clip; }
.source { min-width: 8rem; }
td time, td.word { white-space: nowrap; font-variant-numeric: tabular-nums; }
td p { margin: 0; }
.word b::before { content: ""; display: inline-block; width: .6em; height: .6em; border-radius: 50%; margin-right: .45em;
  background: currentColor; }
.ok { color: var(--ok); } .degraded, .update { color: var(--degraded); } .error, .delete { color: var(--error); }
.create { color: var(--ok); } .disabled, .pending { color: var(--disabled); } .quiet { color: var(--quiet); }
.odd { border: 1px solid var(--line); border-radius: .2rem; color: var(--faint); font: .6875rem ui-monospace, monospace;
  margin: 0 .1em; padding: 0 .2em; }
@media (max-width: 44rem) {
  thead { position: absolute; clip-path: inset(50%); }
  table, caption, tbody, tr, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
  td { border: 0; padding: .05rem 0; }
  td.word, td.when { display: inline-block; margin-right: 1rem; }
  td:empty { display: none; }
  td[data-label]::before { content: attr(data-label) " "; color: var(--faint); font-size: .8125rem; }
}
`;

/** Allows that one style and nothing else: no script, no image, no form, no frame around it. */
export const HOME_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', HOME_STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
