/** What only the developer pages have: the opening of the landing page and the layout of the reference. */
export const developer = `
.opening { background: linear-gradient(180deg, var(--band), var(--band-deep)); color: var(--on-band); }
.opening .width-page { display: grid; gap: var(--gap-3); padding-top: var(--gap-5); padding-bottom: var(--gap-5); }
.opening .lead { color: var(--on-band-quiet); font-size: clamp(1.125rem, 1rem + 0.6vw, 1.375rem); max-width: 38rem; }
.opening .words > * + * { margin-top: var(--gap-2); }
.opening .actions { padding-top: var(--gap-1); }
.opening .button { background: var(--on-band); border-color: var(--on-band); color: #0b3a5b; }
.opening .button:hover { background: #e2effa; border-color: #e2effa; }
.opening .button.second { background: transparent; border-color: var(--on-band-quiet); color: var(--on-band); }
.opening .button.second:hover { background: rgb(255 255 255 / 12%); }
.opening :focus-visible { outline-color: var(--focus-on-band); }
.opening img { display: none; box-shadow: 0 0 0 1px rgb(255 255 255 / 25%); }
@media (min-width: 860px) {
  .opening .width-page { grid-template-columns: minmax(0, 1fr) auto; align-items: center; padding-top: var(--gap-6); padding-bottom: var(--gap-6); }
  .opening img { display: block; order: 2; width: 168px; height: 168px; border-radius: 36px; }
}

.area-calls { list-style: none; padding: 0; border-top: 1px solid var(--line); }
.area-calls a { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; min-height: var(--target); padding: 6px 0; text-decoration: none; }
.area-calls .name { text-decoration: underline; text-underline-offset: 3px; text-decoration-thickness: 1px; }
.area-calls a:hover .name { text-decoration-thickness: 2px; }
.endpoint { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; }
.endpoint code { min-width: 0; font-size: 0.9375rem; font-weight: 600; background: none; padding: 0; }

.reference { display: grid; gap: var(--gap-4); }
.reference > div { min-width: 0; }
.contents { font-size: 0.9375rem; }
.contents > p { color: var(--ink-quiet); font-size: 0.8125rem; font-weight: 600; padding: 4px 0; }
.contents ul { list-style: none; padding: 0; }
.contents a { display: flex; align-items: center; min-height: var(--target); padding: 5px 0; color: var(--ink); text-decoration: none; line-height: 1.35; }
.contents a:hover { color: var(--accent); text-decoration: underline; }
@media (max-width: 959px) { .contents { border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); padding: 12px var(--gap-2); } }
@media (min-width: 960px) {
  .reference { grid-template-columns: 208px minmax(0, 1fr); gap: var(--gap-5); }
  .contents { position: sticky; top: var(--gap-3); align-self: start; max-height: calc(100vh - 2 * var(--gap-3)); overflow-y: auto; }
}
.area-tabs { margin-bottom: var(--gap-3); border-bottom: 1px solid var(--line); }
.area-tabs ul { display: flex; flex-wrap: wrap; gap: 0 var(--gap-3); list-style: none; padding: 0; }
.area-tabs a { display: inline-flex; align-items: center; min-height: var(--target); color: var(--ink-quiet); font-size: 0.9375rem; text-decoration: none; }
.area-tabs a:hover { color: var(--accent); text-decoration: underline; }
.area-tabs a[aria-current] { color: var(--accent); font-weight: 600; box-shadow: inset 0 -3px 0 -1px currentcolor; }
#credentials { padding-top: var(--gap-3); }
.operations > * + * { margin-top: var(--gap-4); }
.operations > h2 + * { margin-top: var(--gap-2); }
.operation, .common { border-top: 1px solid var(--line); padding-top: var(--gap-4); margin-top: var(--gap-5); }
.operation:first-of-type { border-top: 0; padding-top: 0; margin-top: 0; }
.operation > * + * { margin-top: var(--gap-2); }
.operation > h3 { font-size: 1rem; letter-spacing: 0; margin-top: var(--gap-4); }
.common > h3 { padding-top: var(--gap-1); }
.common-links { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--gap-2); }
.common-links a { display: inline-flex; align-items: center; min-height: var(--target); }
@media (max-width: 719px) { .records tbody th > a { display: inline-flex; align-items: center; min-height: var(--target); } }
.statuses { display: flex; flex-wrap: wrap; gap: var(--gap-1); list-style: none; padding: 0; }
.statuses a {
  display: inline-flex; align-items: center; justify-content: center; min-height: var(--target); min-width: var(--target); padding: 0 12px;
  border: 1px solid var(--line); border-radius: var(--radius-small); background: var(--paper); font-weight: 600; text-decoration: none;
}
.statuses a:hover { border-color: var(--accent); }
.problem-group > * + * { margin-top: 12px; }
.problem { display: grid; gap: var(--gap-5); grid-template-columns: minmax(0, 1fr); }
@media (min-width: 960px) { .problem { grid-template-columns: minmax(0, var(--width-flow)) minmax(0, 1fr); gap: var(--gap-6); } }
.problem .stack > h2 { font-size: 1.25rem; }
.problem aside { align-self: start; }
.problem aside h2 { font-size: 1rem; letter-spacing: 0; }
`;
