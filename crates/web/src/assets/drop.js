// Files that are chosen in a form, or dropped on it.

/// Calls `take` with the file that is chosen in `input` or dropped on `form`.
export function takeFiles(form, input, take) {
  input.addEventListener('change', () => take(input.files[0]));
  for (const kind of ['dragenter', 'dragover']) {
    form.addEventListener(kind, (event) => {
      event.preventDefault();
      form.classList.add('over');
    });
  }
  form.addEventListener('dragleave', (event) => {
    if (!form.contains(event.relatedTarget)) form.classList.remove('over');
  });
  form.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    if (event.dataTransfer.files.length > 0) input.files = event.dataTransfer.files;
    take(event.dataTransfer.files[0]);
  });
}
