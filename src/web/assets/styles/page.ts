/** The ground every page stands on: type, links, focus, and the shell with masthead, main part and footer. */
export const page = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: var(--gap-3); }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.6 var(--font);
  overflow-wrap: break-word;
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }

h1, h2, h3, h4 { margin: 0; line-height: 1.25; text-wrap: balance; letter-spacing: -0.01em; }
h1 { font-size: clamp(1.75rem, 1.4rem + 1.8vw, 2.5rem); }
h2 { font-size: 1.5rem; }
h3 { font-size: 1.25rem; }
h4 { font-size: 1rem; letter-spacing: 0; }
p, ul, ol, dl, figure { margin: 0; }
p { max-width: 44rem; text-wrap: pretty; }
ul.plain, ol.plain { list-style: none; padding: 0; }
code { font-family: var(--font-code); font-size: 0.875em; overflow-wrap: anywhere; }
p code, dd code { background: var(--code-ground); border-radius: 4px; padding: 1px 5px; }

a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: var(--radius-small); }
:target { scroll-margin-top: var(--gap-3); }

.lead { font-size: 1.125rem; color: var(--ink-quiet); }
.quiet { color: var(--ink-quiet); }
.small { font-size: 0.875rem; }
.stack > * + * { margin-top: var(--gap-2); }
.stack-wide > * + * { margin-top: var(--gap-5); }
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}

.width-page { width: 100%; max-width: calc(var(--width-page) + 2 * var(--gap-2)); margin-inline: auto; padding-inline: var(--gap-2); }
.width-flow { max-width: var(--width-flow); }

.skip {
  position: absolute; left: var(--gap-2); top: -100px; z-index: 1;
  background: var(--paper); color: var(--accent);
  padding: var(--gap-1) var(--gap-2); border-radius: var(--radius-small);
}
.skip:focus { top: var(--gap-1); }

.masthead { background: var(--band); color: var(--on-band); }
.masthead .width-page {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; column-gap: var(--gap-3);
  padding-top: var(--gap-1); padding-bottom: var(--gap-1);
}
.masthead a { color: var(--on-band); text-decoration: none; }
.masthead :focus-visible { outline-color: var(--focus-on-band); }
.mark { display: inline-flex; align-items: center; gap: 12px; min-height: var(--target); font-weight: 650; font-size: 1.125rem; }
.mark img { display: block; border-radius: 9px; box-shadow: 0 0 0 1px rgb(255 255 255 / 25%); }
.masthead ul { display: flex; flex-wrap: wrap; list-style: none; margin: 0 -8px; padding: 0; }
.masthead li a {
  display: inline-flex; align-items: center; min-height: var(--target); padding: 0 8px;
  color: var(--on-band-quiet); font-size: 0.9375rem; border-radius: var(--radius-small);
}
.masthead li a:hover { color: var(--on-band); text-decoration: underline; }
.masthead li a[aria-current] { color: var(--on-band); font-weight: 600; box-shadow: inset 0 -3px 0 -1px currentcolor; border-radius: 0; }

.environment { background: var(--notice-soft); color: var(--notice); border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.environment p { padding-block: 6px; }

main { flex: 1; padding-top: var(--gap-4); padding-bottom: var(--gap-6); }
main:focus { outline: none; }
.page-head { padding-bottom: var(--gap-4); }
.page-head > * + * { margin-top: 12px; }

.footer { border-top: 1px solid var(--line); color: var(--ink-quiet); font-size: 0.875rem; }
.footer .width-page {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px var(--gap-3);
  padding-top: var(--gap-3); padding-bottom: var(--gap-3);
}

.trail { font-size: 0.875rem; }
.trail a { display: inline-flex; align-items: center; min-height: var(--target); }
@media (min-width: 640px) {
  .masthead ul { margin: 0 -14px; }
  .masthead li a { padding: 0 14px; font-size: 1rem; }
  .width-page { padding-inline: var(--gap-3); max-width: calc(var(--width-page) + 2 * var(--gap-3)); }
}
`;
