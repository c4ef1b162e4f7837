/**
 * Adds a copy button to every code block. The only script of the developer pages; everything works without it, which is
 * why the button is made here and not in the page.
 */
export const copyScript = `'use strict';
for (const block of document.querySelectorAll('.code-block')) {
  const code = block.querySelector('code');
  const caption = block.querySelector('figcaption');
  if (!code || !caption || !navigator.clipboard) continue;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  caption.append(button);
}
`;
