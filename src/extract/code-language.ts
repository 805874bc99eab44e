import { TABLE_PARTS } from './html-elements.ts';
import { attribute, type HtmlElement } from './html-tree.ts';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Language names that appear alone in a class, as in rustdoc and highlight.js. */
const LANGUAGES = names(
  'asm awk bash bat c clojure cmake console cpp c++ cs csharp c# css dart diff dockerfile elixir elm erlang fish fortran go graphql groovy haskell hcl html http ini java javascript js json json5 jsonc jsx julia kotlin less lisp lua makefile markdown matlab md mermaid nginx nim nix objectivec ocaml perl php plaintext powershell prolog proto protobuf ps1 py pycon python python3 r rb rst ruby rust rs sass scala scheme scss sh shell solidity sql swift tcl terraform tex text toml ts tsx typescript vb vim vue wasm xml yaml yml zig zsh',
);
/** Names of boxes in themes, and words for no language at all. */
const NO_LANGUAGE = names(
  'default none nohighlight undefined unknown lines wrapper container toolbar block inline area box',
);
const MARKED =
  /^(?:language|lang|mw-highlight-lang|highlight-source|highlight|brush|src|code)[-:]([a-z0-9+#_.-]{1,30});?$/i;
/** These come before the name of the language, as a separate class. */
const BEFORE_NAME = names('brush: sourcecode hljs src prettyprint highlight syntaxhighlighter');
const NAME = /^[\w+#.-]{1,30}$/;
/** Sphinx puts it two elements above, others on the code itself. */
const ELEMENTS_ABOVE = 3;

/** The language of the code according to the page. It is used for Markdown only, never for comparison. */
export function codeLanguageOf(pre: HtmlElement): string {
  for (const [step, element] of elementsAround(pre).entries()) {
    if (element === undefined) continue;
    const language = languageSaid(element, step <= 1)
      ?.toLowerCase()
      .replace(/;$/, '');
    if (language !== undefined && NAME.test(language)) return NO_LANGUAGE.has(language) ? '' : language;
  }
  return '';
}

/** The code in a `pre`, the `pre` itself, and the elements around it, except for the table with the line numbers. */
function elementsAround(pre: HtmlElement): (HtmlElement | undefined)[] {
  const inside = pre.children.filter((child) => typeof child !== 'string');
  const around = [inside.find(({ name }) => name === 'code') ?? inside[0]];
  let above: HtmlElement | undefined = pre;
  for (let step = 0; step <= ELEMENTS_ABOVE && above !== undefined; above = above.parent) {
    if (TABLE_PARTS.has(above.name)) continue;
    around.push(above);
    step += 1;
  }
  return around;
}

function languageSaid(element: HtmlElement, isCode: boolean): string | undefined {
  const named =
    attribute(element, 'data-lang') ?? attribute(element, 'data-language') ?? attribute(element, 'data-code-language');
  if (named !== undefined && named !== '') return named;
  const lang = attribute(element, 'lang');
  if (isCode && lang !== undefined && LANGUAGES.has(lang.toLowerCase())) return lang;
  return languageInClass(attribute(element, 'class'), isCode);
}

function languageInClass(classes: string | undefined, isCode: boolean): string | undefined {
  if (classes === undefined) return undefined;
  const found = classes.trim().split(/\s+/);
  for (const [at, name] of found.entries()) {
    const marked = MARKED.exec(name)?.[1];
    if (marked !== undefined && !(name.startsWith('code-') && !LANGUAGES.has(marked.toLowerCase()))) return marked;
    const next = found[at + 1]?.toLowerCase().replace(/;$/, '');
    if (next === undefined || !BEFORE_NAME.has(name.toLowerCase())) continue;
    if (name.endsWith(':') || LANGUAGES.has(next)) return next;
  }
  return isCode ? found.find((name) => LANGUAGES.has(name.toLowerCase()) && name !== 'text') : undefined;
}
