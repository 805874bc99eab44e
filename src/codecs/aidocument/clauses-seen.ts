import { isJsonObject } from './parse-json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Clauses that can be checked on every document. */
const ALWAYS = [
  ...['AWI-DOC1', 'AWI-DOC2', 'AWI-DOC4', 'AWI-DOC5', 'AWI-SCH1', 'AWI-SCH2', 'AWI-SRC3', 'AWI-SRC10'],
  ...['AWI-CA1', 'AWI-CA2', 'AWI-CA3', 'AWI-CT1', 'AWI-ST1', 'AWI-SG1', 'AWI-SG2', 'AWI-SG3', 'AWI-SG4'],
  ...['AWI-MG2', 'AWI-MG4'],
];

/** Clauses that can be checked only if the document has a certain field. */
const BY_FIELD: Readonly<Record<string, readonly string[]>> = {
  'schema.ref': ['AWI-SCH3', 'AWI-SCH4'],
  'source.canonical_url': ['AWI-SRC4'],
  'source.fetched_at': ['AWI-SRC6'],
  'source.render_mode': ['AWI-SRC7', 'AWI-SRC8'],
  'source.status_code': ['AWI-SRC9'],
  'identity.title': ['AWI-ID1'],
  'identity.description': ['AWI-ID2'],
  'identity.language': ['AWI-ID3'],
  'identity.content_type': ['AWI-ID4'],
  'structure.headings': ['AWI-ST2', 'AWI-ST3'],
  'structure.links': ['AWI-ST4', 'AWI-ST5', 'AWI-ST6'],
  'structure.images': ['AWI-ST7'],
  'structure.structured_data': ['AWI-ST8'],
};
const ECONOMICS = ['AWI-EC1', 'AWI-EC2', 'AWI-EC3', 'AWI-EC4', 'AWI-EC5', 'AWI-EC6', 'AWI-EC7'];
const BY_STATUS: ReadonlyMap<unknown, string> = new Map([
  ['hit', 'AWI-CA4'],
  ['miss', 'AWI-CA5'],
  ['refreshed', 'AWI-CA6'],
  ['stale_revalidated', 'AWI-CA7'],
]);

/** The clauses that can be checked on a document. */
export function clausesSeenIn(document: Fields): string[] {
  const seen = Object.entries(BY_FIELD).filter(([path]) => valueAt(document, path) !== undefined);
  const outcome = BY_STATUS.get(valueAt(document, 'cache.status'));
  return [
    ...ALWAYS,
    ...seen.flatMap(([, clauses]) => clauses),
    ...(document.economics === undefined ? [] : ECONOMICS),
    ...(outcome === undefined ? [] : [outcome]),
  ];
}

function valueAt(document: Fields, path: string): unknown {
  const [group = '', field = ''] = path.split('.');
  const fields = Object.hasOwn(document, group) ? document[group] : undefined;
  return isJsonObject(fields) && Object.hasOwn(fields, field) ? fields[field] : undefined;
}
