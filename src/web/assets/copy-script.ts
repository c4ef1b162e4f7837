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
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copy;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = copied;
    } catch {
      button.textContent = refused;
    }
    setTimeout(() => { button.textContent = copy; }, 2000);
  });
  caption.append(button);
}
`;
