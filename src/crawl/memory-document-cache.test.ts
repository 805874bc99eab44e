import { describeDocumentCache } from './document-cache.contract.ts';
import { MemoryDocumentCache } from './memory-document-cache.ts';

describeDocumentCache('memory', async (limits) => new MemoryDocumentCache(limits));
