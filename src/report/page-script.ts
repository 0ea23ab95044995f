/** The filters of the HTML report. Without scripts everything is shown, and the filters are not. */
export const script = `
const form = document.querySelector('form');
const handlers = [...document.querySelectorAll('.handler')];
const none = document.querySelector('.none');
const apply = () => {
  const asked = new FormData(form);
  const words = asked.get('text').toLowerCase().split(/\\s+/).filter(Boolean);
  const verdicts = asked.getAll('verdict');
  let shown = 0;
  for (const h of handlers) {
    const d = h.dataset;
    const fits = verdicts.includes(d.verdict)
      && (asked.get('rule') === '' || d.rules.split(' ').includes(asked.get('rule')))
      && (asked.get('client') === '' || d.client === asked.get('client'))
      && words.every((w) => d.text.toLowerCase().includes(w));
    h.hidden = !fits;
    if (fits) shown += 1;
  }
  none.hidden = shown > 0;
  form.querySelector('output').textContent = shown + ' of ' + handlers.length + (handlers.length === 1 ? ' handler' : ' handlers');
};
form.addEventListener('input', apply);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(apply));
form.hidden = false;
apply();
`;
