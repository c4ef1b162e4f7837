/**
 * Adds a copy button to every code block. The only script of the developer pages; everything works without it, which is
 * why the button is made here and not in the page.
 */
export const copyScript = `'use strict';
const [copy, copied, refused] = document.documentElement.lang === 'el'
  ? ['Αντιγραφή', 'Αντιγράφηκε', 'Δεν επιτρέπεται']
  : ['Copy', 'Copied', 'Not allowed'];
for (const block of document.querySelectorAll('.code-block')) {
  const code = block.querySelector('code');
  const caption = block.querySelector('figcaption');
  if (!code || !caption || !navigator.clipboard) continue;
  const what = document.createElement('span');
  what.className = 'unseen';
  what.textContent = ': ' + caption.textContent.trim();
  const word = document.createTextNode(copy);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.append(word, what);
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      word.data = copied;
    } catch {
      word.data = refused;
    }
    setTimeout(() => { word.data = copy; }, 2000);
  });
  caption.append(button);
}
`;
