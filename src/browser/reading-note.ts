/** Shows that something takes a while: a form, button or link with `data-reading` shows the note of its form, or the first on the page. */
export function showReadingNotes(root: ParentNode): void {
  for (const starter of root.querySelectorAll<HTMLElement>('[data-reading]')) {
    const form = starter.closest('form');
    const note = (form ?? document).querySelector<HTMLElement>('.reading');
    if (note === null) continue;
    const show = () => {
      note.hidden = false;
    };
    starter.addEventListener(starter instanceof HTMLFormElement ? 'submit' : 'click', show);
    // A reader who comes back finds the page as it was.
    addEventListener('pageshow', () => {
      note.hidden = true;
    });
  }
}
