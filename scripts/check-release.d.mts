export function judgeRelease(root: string, tag: string): { readonly flaws: string[]; readonly notes: string };
export function notesOf(changelog: string, version: string): string;
