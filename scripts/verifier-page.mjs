import { createHash } from 'node:crypto';

/** The page that checks receipts as one file without requests: its script and style are inline, and its policy names their hashes. */
export function verifierPage({ script, style }) {
  for (const text of [script, style]) {
    if (/<\/(?:script|style)/i.test(text)) throw new Error('A script or style of the verifier would end its element.');
  }
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Check a receipt · Tidings</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Check a receipt</h1>
<p>A receipt shows that a change stands in the log of a site or a hub. This page checks it with what your browser has, and asks nobody: it works from a file, without a network.</p>
<div id="verifier"><noscript><p>The check is a script of this page, and scripts are off. Or run: <code>tidings verify-receipt receipt.json</code></p></noscript></div>
</main>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
