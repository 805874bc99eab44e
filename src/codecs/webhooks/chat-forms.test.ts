import { expect, test } from 'vitest';
import { encodeDiscordForm, encodeNtfyForm, encodeSlackForm } from './chat-forms.ts';
import type { WebhookChange, WebhookChangeEvent, WebhookMessage } from './message.ts';

const CONTEXT = { id: 'msg_1', hubUrl: 'https://hub.example/' };
const CHANGE: WebhookChange = {
  id: '01J9ZK3V5M0000000000000007',
  source: 'docs',
  action: 'update',
  url: 'https://docs.example/install',
  anchor: 'linux',
  time: '2026-11-17T12:00:00Z',
  title: 'Install',
  heading: 'Linux',
};

const told = (change: Partial<WebhookChange>): WebhookChangeEvent => ({ change: { ...CHANGE, ...change }, json: '{}' });
const one = (change: Partial<WebhookChange> = {}): WebhookMessage => ({ type: 'change', event: told(change) });
const slack = (message: WebhookMessage): string => JSON.parse(encodeSlackForm(message, CONTEXT).body).text;
const discord = (message: WebhookMessage) => JSON.parse(encodeDiscordForm(message, CONTEXT).body);
const ntfy = (message: WebhookMessage) => encodeNtfyForm(message, CONTEXT).body;
/** What a person sees: without the characters that take no room. */
const seen = (text: string) => text.replaceAll('\u2060', '');

test('a change is one line that leads to the section', () => {
  expect(slack(one())).toBe('*Updated* <https://docs.example/install#linux|Install> § Linux (docs)');
  expect(discord(one())).toEqual({
    content: '**Updated** [Install](<https://docs.example/install#linux>) § Linux \\(docs\\)',
    allowed_mentions: { parse: [] },
    flags: 4,
  });
  expect(ntfy(one())).toBe('Updated Install § Linux (docs)\nhttps://docs.example/install#linux');
  expect(encodeNtfyForm(one(), CONTEXT).contentType).toBe('text/plain; charset=utf-8');
});

test('nobody is called by the title of a page', () => {
  const title = '<!channel> @everyone <@U123> & @here <#C1|x>';
  const text = slack(one({ title }));
  expect(text).toContain('&lt;!\u2060channel&gt; @\u2060everyone &lt;@\u2060U123&gt; &amp; @\u2060here');
  expect(text.match(/</g)).toHaveLength(1);
  const { content, allowed_mentions } = discord(one({ title: '@everyone <@123> <@&9> <#7>' }));
  expect(allowed_mentions).toEqual({ parse: [] });
  expect(content).toContain('@\u2060everyone \\<@\u2060123\\>');
});

test('a title is no markup and no link', () => {
  const title = '*b* _i_ ~s~ `c` [x](https://evil.example/) https://evil.example/ www.evil.example ||p|| # h > q';
  const text = slack(one({ title }));
  expect(text).not.toMatch(/\*b\*|_i_|~s~|`c`|\]\(/);
  expect(text).not.toContain('https://evil');
  expect(seen(text)).toContain('www.evil.example');
  const { content } = discord(one({ title }));
  expect(content).toContain('\\*b\\* \\_i\\_ \\~s\\~ \\`c\\` \\[x\\]\\(');
  expect(content).not.toContain('https://evil');
  expect(content).toContain('\\|\\|p\\|\\|');
});

test('a URL cannot leave its brackets, and only pages are linked', () => {
  const url = 'https://docs.example/a>|b<c d)';
  expect(slack(one({ url, anchor: 'x>y' }))).toContain('<https://docs.example/a%3E%7Cb%3Cc%20d)#x%3Ey|Install>');
  expect(discord(one({ url, anchor: 'x>y' })).content).toContain('](<https://docs.example/a%3E%7Cb%3Cc%20d)#x%3Ey>)');
  expect(slack(one({ url: 'javascript:alert(1)' }))).not.toContain('javascript');
  expect(slack(one({ url: `https://docs.example/${'a'.repeat(3000)}` }))).not.toContain('<http');
});

test('lines and directions of a title are not those of the message', () => {
  expect(ntfy(one({ title: 'a\nb\r\u202e\u2066c' }))).toMatch(/^Updated a b c §/);
});

test('a batch is told as its number and as many lines as fit', () => {
  const events = Array.from({ length: 300 }, (_, at) =>
    told({ title: `Page ${at} ${'&*'.repeat(40)}`, source: at % 2 ? 'docs' : 'blog' }),
  ) as [WebhookChangeEvent, ...WebhookChangeEvent[]];
  const batch: WebhookMessage = { type: 'changes', events };
  const texts = { slack: slack(batch), discord: discord(batch).content, ntfy: ntfy(batch) };
  for (const [form, text] of Object.entries(texts)) {
    expect(text, form).toMatch(/300 changes\W* of 2 sources\n/);
    expect(text, form).toMatch(/\n… and \d+ more\.$/);
  }
  expect(texts.slack.length).toBeLessThanOrEqual(4000);
  expect(texts.discord.length).toBeLessThanOrEqual(2000);
  expect(Buffer.byteLength(texts.ntfy)).toBeLessThanOrEqual(4096);
});

test.each(['&', '@', '*', '<', '中', '😀', '://', 'www.', 'a'])('the longest line of %s fits alone', (sign) => {
  const text = sign.repeat(500);
  const url = `https://docs.example/${'&'.repeat(370)}`;
  const longest = one({ title: text, heading: text, summary: text, source: text, url });
  const said = { slack: slack(longest), discord: discord(longest).content, ntfy: ntfy(longest) };
  for (const [form, line] of Object.entries(said)) expect(line, form).toMatch(/^\**Updated(?!.*… and)/);
  expect(said.slack.length).toBeLessThanOrEqual(4000);
  expect(said.discord.length).toBeLessThanOrEqual(2000);
  expect(Buffer.byteLength(said.ntfy)).toBeLessThanOrEqual(4096);
});
