// Files that are chosen in a form, or dropped on it.

/// Calls `take` with the file that is chosen in `input` or dropped on `form`. What is in the text field `source` is
/// sent in its place, for it may have been changed after the file was read.
export function takeFiles(form, input, source, take) {
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
  form.addEventListener('submit', () => {
    if (source.value !== '') input.disabled = true;
  });
  addEventListener('pageshow', () => (input.disabled = false));
}
