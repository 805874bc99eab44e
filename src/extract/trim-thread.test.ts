import { expect, test } from 'vitest';
import { extractReading } from './extract-reading.ts';

const read = (body: string, url = 'https://forum.example/threads/oil.12/') => extractReading(body, url).markdown;

const WORDS = ['Change it every spring', 'Never let it run dry', 'Use the thin one in winter', 'Ask the maker first'];
const post = (text: string, at: number) => `
  <div class="post ${at % 2 ? 'odd' : 'even'}"><div><a href="/u/${at}">rider${'abcd'[at]}</a> <span>Junior Wrench</span></div>
    <div><span>#${at + 1}</span></div><div>${text}. ${'It has served me well for many years now. '.repeat(4)}</div>
    <div><a href="/r/${at}">Give rep</a></div></div>`;
const thread = `<div id="posts">${WORDS.map(post).join('')}</div>`;

test('what every post says is the forum, not the writer', () => {
  const markdown = read(`<h1>Oil</h1>${thread}`);
  expect(markdown).toContain('Never let it run dry');
  expect(markdown).toContain('ridera');
  expect(markdown).not.toMatch(/Junior Wrench|#2|Give rep/);
});

test('a rank that one writer has is kept: it is no label', () => {
  expect(read(`<h1>Oil</h1>${thread.replace('Junior Wrench', 'Chain Whisperer')}`)).toContain('Chain Whisperer');
});

test('what stands round the posts without a sentence goes; title and first post stay', () => {
  const first = `<div class="opening"><p>${'Which oil do you put on a chain that is ridden every day? '.repeat(2)}</p></div>`;
  const short = thread.replaceAll(/It has .* now\. /g, '');
  const markdown = read(
    `<div><p>Board index | Chains</p></div><h1>Oil</h1>${first}${short}<div><p>Users browsing this: 3</p></div>`,
  );
  expect(markdown).toMatch(/^# Oil/m);
  expect(markdown).toContain('Which oil do you put');
  expect(markdown).not.toMatch(/Board index|Users browsing/);
});

test('a list of things for sale keeps what all of them say', () => {
  const card = (text: string) => `<li class="card"><h3>${text}</h3><span>Remote job</span><p>${text}, again.</p></li>`;
  const markdown = read(`<h1>Jobs</h1><ul>${WORDS.map(card).join('')}</ul>`, 'https://jobs.example/riders');
  expect(markdown.match(/Remote job/g)).toHaveLength(4);
});
