/** A page with an advert and a stamp in a separate box. */
export const PICKED_PAGE = `<!doctype html><html lang="en"><title>Docs</title><body><nav class="toc"><a href="/a">A</a></nav>
<main><h1 id="top">Words</h1><p>The first paragraph.</p>
<section class="box"><aside class="promo">Buy one, get one.</aside><div class="stamp">Built at noon.</div></section>
<h2 id="b">More</h2><p>The second.</p></main></body></html>`;
