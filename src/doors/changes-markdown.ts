export { changesMarkdown } from '../produce/changes-markdown.ts';
