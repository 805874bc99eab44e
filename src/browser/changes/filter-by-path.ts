/** Shows only the changes whose path contains the words in the field. A run without any is hidden too. */
export function filterByPath(root: Document): void {
  const field = root.querySelector<HTMLInputElement>('#path');
  const found = root.querySelector('#found');
  if (field === null || found === null) return;
  const apply = () => {
    const wanted = field.value.trim().toLowerCase();
    let count = 0;
    for (const run of root.querySelectorAll<HTMLElement>('.run')) {
      let shown = 0;
      for (const item of run.querySelectorAll<HTMLElement>('[data-path]')) {
        item.hidden = !(item.dataset.path ?? '').toLowerCase().includes(wanted);
        if (!item.hidden) shown += 1;
      }
      run.hidden = wanted !== '' && shown === 0;
      count += shown;
    }
    found.textContent = wanted === '' ? '' : `${count} on this page`;
  };
  field.value = new URLSearchParams(location.search).get('path') ?? '';
  field.addEventListener('input', apply);
  field.closest<HTMLElement>('.filter')?.removeAttribute('hidden');
  apply();
}
