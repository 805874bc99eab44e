import { Random } from './hub-random.ts';

/** What the authors of a site do at one look; nothing else on it is an edit. */
export interface Edit {
  readonly look: number;
  readonly path: string;
  readonly what: 'section-edited' | 'section-added' | 'page-added' | 'page-removed';
  readonly anchor?: string;
}

export interface TrueSection {
  readonly id: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

export interface TruePage {
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly TrueSection[];
}

/** A way to say the whole site: the usual one, another draft of all of it, another language. */
export type Voice = 'usual' | 'other' | 'german';

export const FOLLOWED_PAGE = '/install';

const TITLES: Readonly<Record<string, string>> = {
  '/': 'Harbor at a glance',
  '/install': 'Install the agent',
  '/billing': 'Billing and invoices',
  '/webhooks': 'Receive webhooks',
  '/export': 'Export your data',
  '/regions': 'Regions and residency',
  '/tokens': 'Access tokens',
};
const ADDED_PAGE = '/tokens';
const SECTIONS = ['setup', 'usage', 'limits', 'errors', 'faq'];
const ADDED_SECTION = 'notes';

/** Shares of the life of a source at which its authors do something. */
const PLAN: readonly (Omit<Edit, 'look'> & { readonly at: number })[] = [
  { at: 0.14, path: '/install', what: 'section-edited', anchor: 'limits' },
  { at: 0.3, path: '/install', what: 'section-edited', anchor: 'setup' },
  { at: 0.36, path: '/billing', what: 'section-edited', anchor: 'usage' },
  { at: 0.44, path: ADDED_PAGE, what: 'page-added' },
  { at: 0.52, path: '/webhooks', what: 'section-added', anchor: ADDED_SECTION },
  { at: 0.62, path: '/export', what: 'page-removed' },
  { at: 0.7, path: '/regions', what: 'section-edited', anchor: 'errors' },
  { at: 0.82, path: '/install', what: 'section-edited', anchor: 'limits' },
];

export function editsOf(looks: number): readonly Edit[] {
  return PLAN.map(({ at, ...edit }) => ({ ...edit, look: Math.max(1, Math.floor(at * looks)) }));
}

/** The pages of the site when these edits are made. */
export function truthAfter(edits: readonly Edit[], voice: Voice = 'usual'): ReadonlyMap<string, TruePage> {
  const has = (path: string, what: Edit['what']) => edits.some((edit) => edit.path === path && edit.what === what);
  const paths = Object.keys(TITLES).filter(
    (path) => !has(path, 'page-removed') && (path !== ADDED_PAGE || has(path, 'page-added')),
  );
  return new Map(paths.map((path) => [path, pageAfter(path, edits, voice)]));
}

function pageAfter(path: string, edits: readonly Edit[], voice: Voice): TruePage {
  const own = edits.filter((edit) => edit.path === path);
  const ids = own.some(({ what }) => what === 'section-added') ? SECTIONS.toSpliced(1, 0, ADDED_SECTION) : SECTIONS;
  const title = TITLES[path] ?? path;
  return {
    path,
    title: voice === 'german' ? `${title.toUpperCase()} (DE)` : title,
    lead: paragraph(`${voice} ${path} lead`, voice),
    sections: ids.map((id) => {
      const edition = own.filter(({ what, anchor }) => what === 'section-edited' && anchor === id).length;
      const name = `${voice} ${path} ${id}`;
      return {
        id,
        heading: `${id[0]?.toUpperCase()}${id.slice(1)}`,
        // An edit is one sentence among others.
        paragraphs: [
          `${paragraph(name, voice)} ${sentence(`${name} ${edition}`, voice)}`,
          paragraph(`${name} 2`, voice),
        ],
      };
    }),
  };
}

const WORDS: Readonly<Record<'english' | 'german', readonly (readonly string[])[]>> = {
  english: [
    [
      'The agent',
      'Each workspace',
      'A signed request',
      'Your invoice',
      'The Zürich region',
      'An operator',
      'The façade',
    ],
    ['reads', 'keeps', 'refuses', 'copies', 'verifies', 'resumes', 'rotates', 'reports'],
    ['every token', 'the last export', 'a résumé of the run', 'the naïve default', 'two replicas', 'the audit trail'],
    ['before it starts', 'once a day', 'without a restart', 'until somebody asks', 'for each member', 'on first use'],
  ],
  german: [
    ['Der Dienst', 'Jede Gruppe', 'Eine Anfrage', 'Die Rechnung', 'Das Gebiet', 'Ein Mensch'],
    ['liest', 'behält', 'verweigert', 'kopiert', 'prüft', 'dreht'],
    ['jedes Zeichen', 'den letzten Auszug', 'zwei Abbilder', 'die Spur der Prüfung', 'den Vorgabewert'],
    ['bevor er beginnt', 'einmal am Tag', 'ohne Neustart', 'bis jemand fragt', 'für alle Mitglieder'],
  ],
};

function sentence(seed: string, voice: Voice): string {
  const random = new Random(seedOf(seed));
  const words = WORDS[voice === 'german' ? 'german' : 'english'].map((list) => random.pick(list));
  return `${words.join(' ')}, step ${random.integer(2, 90)}.`;
}

function paragraph(seed: string, voice: Voice): string {
  return [1, 2, 3].map((number) => sentence(`${seed} / ${number}`, voice)).join(' ');
}

/** FNV-1a, so that each place of the lab has random choices of its own. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
