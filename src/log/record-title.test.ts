import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePageRecord } from './pages-file.ts';
import { recordTitle } from './record-title.ts';

test('the title of a record is read whatever it says, however long it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 800, maxLength: 1000 })),
      fc.webPath(),
      (title, path) => {
        const url = new URL(`https://docs.example/x${path}`).href;
        const outline = { url, title, extractor: '1', checksum: '', preamble: '', sections: [] };
        const record = encodePageRecord({ file: 'f', bytes: 5 }, outline, {});
        expect(recordTitle(record)).toBe(JSON.parse(Buffer.from(record.line).toString('utf8')).title);
      },
    ),
  );
});
