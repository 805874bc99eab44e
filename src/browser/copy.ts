/** Buttons that copy an address. Without a script they are hidden. */
export function makeCopyable(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? '');
      const { textContent } = button;
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = textContent;
      }, 1500);
    });
  }
}
