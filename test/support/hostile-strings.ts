/** Texts that become markup or code if a page or a feed is careless. Each would set `hit` or make a request if it ran. */
export const HOSTILE_STRINGS: readonly string[] = [
  '<script>globalThis.hit = 1</script>',
  '"><script>globalThis.hit = 2</script>',
  `'><img src=x onerror="globalThis.hit = 3">`,
  '</title></style></textarea></script><svg onload="globalThis.hit = 4">',
  'javascript:globalThis.hit=5',
  '[click](javascript:globalThis.hit=6) ![x](javascript:globalThis.hit=7)',
  '<a href="javascript:globalThis.hit=8">x</a><iframe src="javascript:parent.hit=9"></iframe>',
  ']]><b xmlns="http://www.w3.org/1999/xhtml" onmouseover="globalThis.hit=10">x</b><![CDATA[',
  '&lt;script&gt;globalThis.hit = 11&lt;/script&gt;',
  '\u202Egpj.exe\u2066\u200B\uFEFF\u0000\u001B[31m',
  '{{constructor.constructor("globalThis.hit=12")()}} #{globalThis.hit = 13}',
  `${'\uD800'}lone${'\uDC00'}`,
  'a'.repeat(100_000),
];

/** Another text at each call, so that every field gets a different one. */
export function hostileSource(): () => string {
  let at = 0;
  return () => {
    at += 1;
    return HOSTILE_STRINGS[at % HOSTILE_STRINGS.length] ?? '';
  };
}
