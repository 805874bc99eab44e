import { remembered } from './remembered.ts';

/** The five kinds of GitHub's alerts. Most other tools know them too. */
export type CallKind = 'NOTE' | 'TIP' | 'IMPORTANT' | 'WARNING' | 'CAUTION';

/** How documentation tools name their notes and warnings, in the most common languages. */
const WORDS: readonly (readonly [CallKind, string])[] = [
  [
    'NOTE',
    'note,notes,info,information,abstract,todo,example,question,see also,seealso,hinweis,beispiel,siehe auch,remarque,exemple,voir aussi,nota,ejemplo,примечание,注記,备注,注释,メモ,참고',
  ],
  ['TIP', 'tip,hint,success,tipp,astuce,conseil,consejo,dica,suggerimento,совет,提示,ヒント,팁'],
  ['IMPORTANT', 'important,wichtig,importante,重要'],
  [
    'WARNING',
    'warning,attention,achtung,warnung,avertissement,advertencia,atención,atenção,aviso,attenzione,внимание,предупреждение,注意,警告,경고,주의',
  ],
  ['CAUTION', 'caution,danger,error,failure,bug,vorsicht,gefahr,precaución'],
];

const KINDS: ReadonlyMap<string, CallKind> = new Map(
  WORDS.flatMap(([kind, words]) => words.split(',').map((word): [string, CallKind] => [word, kind])),
);

/** The kind that a one-word title names: "Note", "Warning:", "Hinweis". */
export function kindOfTitle(title: string): CallKind | undefined {
  return KINDS.get(title.replace(/\s*[:!：]$/, '').toLowerCase());
}

/** Class names of themes for a box with a note in it. */
const BOXES = new Set(['admonition', 'callout', 'alert', 'aside', 'hint', 'notice', 'topic']);
const BOX_NAME = /(?:^|\s)(?:custom-block|blockquote-tag|sidebar)(?:\s|$)/;
/** Only these words name a box by themselves. Other kinds also name other things: `info`, `example`, `error`. */
const ALONE = new Set(['note', 'tip', 'important', 'warning', 'caution', 'danger']);
/** Colours that represent a kind. */
const COLOURS: ReadonlyMap<string, CallKind> = new Map([
  ['primary', 'NOTE'],
  ['secondary', 'NOTE'],
]);

export interface NamedBox {
  /** Absent if the names say only that it is a box. */
  readonly kind: CallKind | undefined;
  /** Whether a box of that name is a note even without a title. An alert may be any coloured message. */
  readonly isPlain: boolean;
}

/** The box that the class of an element names. It is used for Markdown only, never for comparison. */
export function namedBox(names: string | undefined): NamedBox | undefined {
  return names === undefined || names.length > MAX_NAMES ? undefined : knownBox(names);
}

const knownBox = remembered(boxNamed);

function boxNamed(names: string): NamedBox | undefined {
  const words = names
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[\s_-]+/);
  const kind = words.map((word) => KINDS.get(word) ?? COLOURS.get(word)).find((found) => found !== undefined);
  if (words.some((word) => BOXES.has(word)) || BOX_NAME.test(names))
    return { kind, isPlain: kind !== undefined && !words.includes('alert') };
  const alone = names.trim().toLowerCase();
  return ALONE.has(alone) ? { kind, isPlain: true } : undefined;
}

const MAX_NAMES = 300;

/** Whether a class is that of a title: `admonition-title`, `admonitionHeading_Gvgb`. */
export function isTitleName(names: string | undefined): boolean {
  return names !== undefined && /(?:title|heading|header)(?![a-z])/i.test(names);
}
