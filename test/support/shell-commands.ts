/** The commands in the `sh` blocks of a page, in order. Continued lines are joined, comments are dropped. */
export function shellCommands(page: string): string[] {
  const blocks = [...page.matchAll(/^( *)```(?:sh|bash|shell|console)\n([\s\S]*?)^\1```/gm)];
  return blocks.flatMap(([, , block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/(?:^|\s)#\s.*$/, '').trim())
      .filter((line) => line !== ''),
  );
}
