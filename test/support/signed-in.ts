import { createFramer } from '../../src/hub/dashboard/page-frame.ts';
import type { ViewParts } from '../../src/hub/dashboard/view.ts';
import type { Role, Viewer } from '../../src/hub/sign-in/viewer.ts';

const FORM_TOKEN = 'form-token-of-a-test';
const FRAME = { style: 'a.css', script: 'a.js', icon: 'a.svg', doneWords: {}, canSignIn: true };

/** The parts of pages for somebody who is signed in with this role. Without a role, for a visitor who is not signed in. */
export function signedIn(role?: Role): ViewParts {
  const viewer: Viewer = role === undefined ? {} : { role, name: 'somebody', formToken: FORM_TOKEN };
  return { viewers: { viewerOf: () => viewer }, frame: createFramer(FRAME) };
}

/** A form like a page of that session sends it. */
export function sentForm(fields: Readonly<Record<string, string>> = {}) {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new TextEncoder().encode(String(new URLSearchParams({ form_token: FORM_TOKEN, ...fields }))),
  };
}

/** Texts that are markup, that reverse the line, that are too long, and that are not Unicode. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '\u202Egnp.exe\u200B',
  `\uD800 lone`,
  'x'.repeat(1_000_000),
];

/** Markup in a page that would run, or break out of its place. */
export const HOSTILE_MARKUP = /<(?:script(?! src="[^"]*" defer>)|img)|<[^>]*\son\w+=|\sstyle=|href="javascript|\u202E/i;
