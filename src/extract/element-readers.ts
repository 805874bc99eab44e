import { readBlockCode, readContainer, readDetails, readDetailsTitle, readNote, readQuote } from './block-readers.ts';
import { readMath, readSpan } from './formula-readers.ts';
import {
  readCheckbox,
  readEmphasis,
  readImage,
  readInlineCode,
  readInserted,
  readLink,
  readMedia,
  readQuotedWords,
  readRaised,
  readReading,
  readStruck,
} from './inline-readers.ts';
import { readDefinition, readDefinitions, readItem, readListElement, readTerm } from './list-readers.ts';
import type { ElementReader } from './section-reader.ts';
import { readTable } from './table-reader.ts';

const byName = (names: string, read: ElementReader): [string, ElementReader][] =>
  names.split(' ').map((name) => [name, read]);

/** How each element is read. Any other element only groups its content. */
export const ELEMENT_READERS: ReadonlyMap<string, ElementReader> = new Map([
  ...byName('h1 h2 h3 h4 h5 h6', (reader, heading) => reader.startSection(heading)),
  ...byName('p tr figcaption caption', (reader, block) => readNote(reader, block, () => reader.paragraph(block))),
  ...byName('div aside section', readContainer),
  ...byName('details', readDetails),
  ...byName('summary', readDetailsTitle),
  ...byName('ul ol dir', readListElement),
  ...byName('li', readItem),
  ...byName('dl', readDefinitions),
  ...byName('dt', readTerm),
  ...byName('dd', readDefinition),
  ...byName('blockquote', readQuote),
  ...byName('table', (reader, table) => readNote(reader, table, () => readTable(reader, table))),
  ...byName('pre', readBlockCode),
  ...byName('code kbd samp tt', readInlineCode),
  ...byName('strong b', (reader, strong) => readEmphasis(reader, strong, '**')),
  ...byName('em i cite dfn var', (reader, emphasis) => readEmphasis(reader, emphasis, '*')),
  ...byName('del s strike', readStruck),
  ...byName('ins', readInserted),
  ...byName('q', readQuotedWords),
  ...byName('sup sub', readRaised),
  ...byName('rt', readReading),
  ...byName('math', readMath),
  ...byName('span', readSpan),
  ...byName('a', readLink),
  ...byName('img', readImage),
  ...byName('iframe object embed audio video', readMedia),
  ...byName('input', readCheckbox),
  // In a sentence, a button is one of the words; block content in it forms its own blocks.
  ...byName('button', (reader, button) => reader.read(button)),
  ...byName('br', (reader) => reader.markdown.lineBreak()),
  ...byName('wbr', (reader) => reader.comparable.glue()),
  ...byName('hr', (reader) => {
    reader.comparable.breakLine();
    reader.markdown.thematicBreak();
  }),
]);
