import type { Random } from './hub-random.ts';
import type { Asked, RestlessKind } from './restless-kind.ts';
import type { Extras } from './restless-page.ts';

/** Origins that put something into their pages which is another thing at most looks. */
export const RESTLESS_BLOCKS: readonly RestlessKind[] = [
  withExtras('related links', ({ byPage }) => ({
    end: `<div class="strip"><ul>${links(byPage, 4)}</ul></div>`,
  })),
  withExtras('related links with a heading', ({ byPage }) => ({
    end: `<div class="strip"><h2>You may also like</h2><ul>${links(byPage, 4)}</ul></div>`,
  })),
  withExtras('rotating ads', ({ byRequest }) => ({
    inside: { usage: `<div class="x-slot"><p>${byRequest.pick(ADS)}</p></div>` },
  })),
  withExtras('counter in digits', ({ look, byPage }) => ({
    lead: `<p class="stats">Read ${1000 + look * 37 + byPage.integer(0, 30)} times, ${byPage.integer(2, 90)} shares.</p>`,
  })),
  withExtras('counter in words', ({ byPage }) => ({
    lead: `<p class="stats">${byPage.pick(CROWDS)} found this page helpful this week.</p>`,
  })),
  withExtras('people are reading', ({ byRequest }) => ({
    inside: { limits: `<p class="live">${byRequest.integer(2, 60)} people are reading this page right now.</p>` },
  })),
  withExtras('last refreshed', ({ look }) => ({
    inside: { faq: `<p class="fresh">Last refreshed on ${momentOf(look)}.</p>` },
  })),
  withExtras('refreshed so long ago', ({ byPage }) => ({
    inside: { faq: `<p class="fresh">Refreshed ${byPage.pick(AGES)}.</p>` },
  })),
  withExtras('A/B text', ({ byRequest }) => ({ lead: `<p class="cta">${byRequest.pick(OFFERS)}</p>` })),
  withExtras('price ticker', ({ byLook }) => ({ inside: { faq: ticker(byLook) } })),
  withExtras('random images', ({ byPage }) => ({
    end: `<p><img src="/media/${byPage.pick(PICTURES)}.jpg" alt="${byPage.pick(PICTURES)}"></p>`,
  })),
  withExtras('reordered list', ({ byPage }) => ({
    inside: {
      faq: `<ul class="team">${shuffled(byPage, NAMES)
        .map((name) => `<li>${name}</li>`)
        .join('')}</ul>`,
    },
  })),
  withExtras('session ids in links', ({ byRequest }) => ({
    inside: {
      faq: `<p>Then <a href="/next?sid=${token(byRequest)}">go on</a> or <a href="/help;jsessionid=${token(byRequest)}">ask</a>.</p>`,
    },
  })),
  withExtras('nonce ids and classes', ({ byRequest }) => ({
    head: `<script nonce="${token(byRequest)}">window.build="${token(byRequest)}"</script>`,
    inside: {
      usage: `<div id="c-${token(byRequest)}" class="css-${token(byRequest)}"><p data-v-${token(byRequest)}>It is drawn by a script.</p></div>`,
    },
  })),
  {
    ...withExtras('nonce ids of headings', ({ byRequest }) => {
      const nonce = token(byRequest);
      return { idOf: (id) => `${id}-x${nonce}` };
    }),
    cleanAnchor: (anchor) => anchor.replace(/-x[0-9a-f]{8}$/, ''),
  },
  withExtras('comments growing', ({ look }) => ({
    end: `<section class="replies"><h2 id="replies">${look + 1} replies</h2>${Array.from({ length: look + 1 }, (_, at) => `<div><p><b>${NAMES[at % NAMES.length]}</b> It took me ${at + 2} tries, thank you.</p></div>`).join('')}</section>`,
  })),
  withExtras('cookie banner', ({ byLook }) => ({
    top: byLook.chance(0.4)
      ? '<div class="cc-window"><p>We value your privacy. We and our partners store cookies on your device.</p><button>Accept all</button></div>'
      : '',
  })),
  withExtras('banner on all pages', ({ byLook }) => ({
    banner: byLook.chance(0.3)
      ? '<div class="note-top"><p>Join us at the Harbor summit in Oslo this spring.</p></div>'
      : '',
  })),
];

function withExtras(name: string, extras: (asked: Asked) => Extras): RestlessKind {
  return { name, answer: (asked) => asked.html(extras(asked)) };
}

const ADS = [
  'Ship twice as fast with Crane, the build farm for small teams.',
  'Hire a pilot: certified experts for your first month.',
  'Lighthouse watches your uptime while you sleep.',
  'Get 20 free runs when you invite a friend.',
  'Anchor insurance for startups, from nine euros.',
  'Read our book about boring deployments.',
];
const CROWDS = ['Nobody', 'A few people', 'Dozens of people', 'Hundreds of people', 'Almost everybody'];
const AGES = ['just now', 'a minute ago', 'a few minutes ago', 'half an hour ago', 'an hour ago', 'two hours ago'];
const OFFERS = ['Start a free trial today, no card needed.', 'Talk to our team and see Harbor in your own account.'];
const PICTURES = ['quay', 'crane', 'dawn', 'rope', 'tide', 'gull', 'buoy'];
const NAMES = ['Ada', 'Björn', 'Chidi', 'Dana', 'Emre', 'Fen', 'Gita'];
const TOPICS = [
  'tides',
  'cranes',
  'ropes',
  'pilots',
  'quays',
  'locks',
  'buoys',
  'crews',
  'charts',
  'docks',
  'tugs',
  'holds',
];

function links(random: Random, count: number): string {
  const chosen = shuffled(random, TOPICS).slice(0, count);
  return chosen.map((topic) => `<li><a href="/more/${topic}">What we learned about ${topic}</a></li>`).join('');
}

function ticker(random: Random): string {
  const rows = ['Small', 'Medium', 'Large'].map(
    (size) => `<tr><td>${size}</td><td>${random.integer(10, 99)}.${random.integer(10, 99)} €</td></tr>`,
  );
  return `<table class="spot"><tr><th>Size</th><th>Spot price</th></tr>${rows.join('')}</table>`;
}

function momentOf(look: number): string {
  return new Date(Date.UTC(2026, 2, 1, look * 3, (look * 17) % 60)).toUTCString();
}

function token(random: Random): string {
  return random.integer(0x10000000, 0x7fffffff).toString(16);
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: random.fraction() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
