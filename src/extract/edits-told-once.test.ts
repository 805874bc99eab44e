import { expect, test } from 'vitest';
import { diffPages } from '../diff/diff-pages.ts';
import type { PageChange } from '../diff/page-change.ts';
import { extractPage } from './extract-page.ts';
import { keepAnchors } from './keep-anchors.ts';

const URL_OF_PAGE = 'https://docs.example/guide/start';

function pageWith(section: string, heading = '<h2 id="b">B</h2>'): string {
  return `<!doctype html><title>Start</title><main><h1 id="start">Start</h1><p>What this is about.</p>
<h2 id="a">A</h2><p>The first section stays as it is.</p>${heading}<p>The second one is edited.</p>${section}
<h2 id="c">C</h2><p>The third section stays as it is.</p></main>`;
}

function changesBetween(before: string, after: string): PageChange[] {
  const read = extractPage(before, URL_OF_PAGE);
  return diffPages(read, keepAnchors(extractPage(after, URL_OF_PAGE), read));
}

/** What an author may do to a section without touching its words: before, after. */
const EDITS: readonly [string, string, string][] = [
  ['another image', '<p><img src="/img/old.png" alt="Flow"></p>', '<p><img src="/img/new.png" alt="Flow"></p>'],
  ['another image without a text', '<p><img src="old.png" alt=""></p>', '<p><img src="new.png" alt=""></p>'],
  ['an image that says nothing of itself', '<img src="old.png">', '<img src="new.png">'],
  ['an image added', '', '<p><img src="new.png" alt=""></p>'],
  [
    'an image rebuilt by a bundler',
    '<img src="/assets/flow.3f2a9c1b.png" alt="Flow">',
    '<img src="/assets/flow.77d0e4aa.png" alt="Flow">',
  ],
  [
    'an image that is loaded late',
    '<img src="data:image/gif;base64,R0lGOD" data-src="/old.png" alt="Flow">',
    '<img src="data:image/gif;base64,R0lGOD" data-src="/new.png" alt="Flow">',
  ],
  [
    'an image inside the page',
    '<img src="data:image/png;base64,AAAA" alt="Flow">',
    '<img src="data:image/png;base64,BBBB" alt="Flow">',
  ],
  ['an image named in a query', '<img src="/image?id=5" alt="Flow">', '<img src="/image?id=6" alt="Flow">'],
  [
    'an image that a server scales',
    '<img src="/_next/image?url=%2Fold.png&w=640&q=75" alt="Flow">',
    '<img src="/_next/image?url=%2Fnew.png&w=640&q=75" alt="Flow">',
  ],
  ['words struck out', '<p>It is fast.</p>', '<p>It is <del>fast</del>.</p>'],
  ['words added as such', '<p>It is fast.</p>', '<p>It is <ins>fast</ins>.</p>'],
  ['words no longer struck out but added', '<p>It is <del>fast</del>.</p>', '<p>It is <ins>fast</ins>.</p>'],
  ['a list from another number', '<ol><li>One<li>Two</ol>', '<ol start="5"><li>One<li>Two</ol>'],
  ['a list counted down', '<ol><li>One<li>Two</ol>', '<ol reversed><li>One<li>Two</ol>'],
  [
    'a box ticked',
    '<ul><li><input type="checkbox" disabled> Ship</ul>',
    '<ul><li><input type="checkbox" disabled checked> Ship</ul>',
  ],
  [
    'a box ticked in a paragraph of its item',
    '<ul class="task-list"><li><p><input type="checkbox" disabled> Ship</p></ul>',
    '<ul class="task-list"><li><p><input type="checkbox" disabled checked=""> Ship</p></ul>',
  ],
  ['another video', '<video src="/v/old.mp4" controls></video>', '<video src="/v/new.mp4" controls></video>'],
  [
    'another source of a video',
    '<video controls><source src="/v/old.mp4" type="video/mp4">Your browser is old.</video>',
    '<video controls><source src="/v/new.mp4" type="video/mp4">Your browser is old.</video>',
  ],
  ['another sound', '<audio src="/v/old.mp3"></audio>', '<audio src="/v/new.mp3"></audio>'],
  [
    'another embedded video',
    '<iframe src="https://www.youtube.com/embed/aaaaaaaaaaa" title="Talk"></iframe>',
    '<iframe src="https://www.youtube.com/embed/bbbbbbbbbbb" title="Talk"></iframe>',
  ],
  [
    'another frame named in a query',
    '<iframe src="https://play.example/?snippet=old"></iframe>',
    '<iframe src="https://play.example/?snippet=new"></iframe>',
  ],
  ['a video added', '', '<video src="/v/new.mp4"></video>'],
  ['an object replaced', '<object data="/old.pdf"></object>', '<object data="/new.pdf"></object>'],
];
test.each(EDITS)('%s is told under its anchor, once', (_, before, after) => {
  expect(changesBetween(pageWith(before), pageWith(before))).toEqual([]);
  expect(changesBetween(pageWith(before), pageWith(after))).toMatchObject([{ action: 'update', anchor: 'b' }]);
});

test('a heading of another level is told under its anchor, once', () => {
  const changes = changesBetween(pageWith(''), pageWith('', '<h3 id="b">B</h3>'));
  expect(changes).toMatchObject([{ action: 'update', anchor: 'b', note: 'text-edit' }]);
});

/** What hosts, builds and themes do to the same section: before, after. */
const NOISE: readonly [string, string, string][] = [
  [
    'an asset host',
    '<img src="/img/flow.png" alt="Flow"><video src="/v/a.mp4"></video>',
    '<img src="https://cdn.example/img/flow.png" alt="Flow"><video src="https://cdn.example/v/a.mp4"></video>',
  ],
  ['a relative address', '<img src="/guide/flow.png" alt="Flow">', '<img src="flow.png" alt="Flow">'],
  ['a size', '<img src="/flow.png?w=640&h=400&q=75" alt="Flow">', '<img src="/flow.png?w=1280&dpr=2" alt="Flow">'],
  ['a size in the name', '<img src="/flow-300x200.jpg" alt="Flow">', '<img src="/flow-1024x683.jpg" alt="Flow">'],
  [
    'a size before the name',
    '<img src="/thumb/a/ab/Flow.png/220px-Flow.png" alt="Flow">',
    '<img src="/thumb/a/ab/Flow.png/250px-Flow.png" alt="Flow">',
  ],
  [
    'a signature',
    '<img src="/flow.png?X-Amz-Date=20260101T000000Z&X-Amz-Signature=aa11" alt="Flow">',
    '<img src="/flow.png?X-Amz-Date=20260202T000000Z&X-Amz-Signature=bb22" alt="Flow">',
  ],
  ['a version for caches', '<img src="/flow.png?v=1.2.3" alt="Flow">', '<img src="/flow.png?v=1.2.4" alt="Flow">'],
  [
    'a pixel that counts visits',
    '<p>x</p>',
    '<p>x<img src="https://count.example/9f3b/p.gif" width="1" height="1" alt=""></p>',
  ],
  ['an icon for looks', '<p>x</p>', '<p>x<img src="/theme/dot.gif" alt="" role="presentation"></p>'],
  [
    'a picture of an emoji',
    '<p><img alt="🚀" src="/emoji/14/1f680.svg"></p>',
    '<p><img alt="🚀" src="/emoji/15/1f680.svg"></p>',
  ],
  ['an empty place for advertisements', '', '<ins class="adsbygoogle" data-ad-slot="1"></ins>'],
  [
    'how a video is played',
    '<iframe src="https://www.youtube.com/embed/aaaaaaaaaaa"></iframe>',
    '<iframe src="https://www.youtube-nocookie.com/embed/aaaaaaaaaaa?utm_source=docs" loading="lazy"></iframe>',
  ],
  [
    'what a video says where it cannot be shown',
    '<video src="/a.mp4">Old words.</video>',
    '<video src="/a.mp4">New words.</video>',
  ],
  ['a place kept for an image', '', '<p><img src="/img/blank.gif" alt=""></p>'],
  ['a frame of a network', '', '<div><iframe src="https://ads.example/3"></iframe></div>'],
  ['a frame without a source', '', '<iframe src="about:blank"></iframe>'],
];
test.each(NOISE)('%s is no edit', (_, before, after) => {
  expect(changesBetween(pageWith(before), pageWith(after))).toEqual([]);
});

test('the words of a heading with an image are its words alone', () => {
  const page = (image: string) =>
    extractPage(`<main><h2>Speed <img src="${image}" alt=""></h2><p>x</p></main>`, URL_OF_PAGE);
  expect(page('/a.png').sections[0]?.anchor).toBe('speed');
  expect(page('/b.png').sections[0]).toMatchObject({ anchor: 'speed', heading: 'Speed' });
  expect(page('/b.png').sections[0]?.checksum).not.toBe(page('/a.png').sections[0]?.checksum);
});
