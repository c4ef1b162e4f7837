/** The building blocks pages are made of: card, button, summary list, status badge, callout, step line, code block. */
export const components = `
.card { background: var(--paper); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--gap-3); }
.card > * + * { margin-top: 12px; }
.card-grid { display: grid; gap: var(--gap-2); grid-template-columns: repeat(auto-fill, minmax(min(100%, 240px), 1fr)); list-style: none; padding: 0; }
.card-grid.pairs { grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)); }
.card-link { display: block; height: 100%; text-decoration: none; color: inherit; }
.card-link strong { color: var(--accent); }
.card-link:hover { border-color: var(--accent); color: inherit; }
.card-link:hover strong { text-decoration: underline; text-underline-offset: 3px; }

.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: var(--target); padding: 8px 20px;
  border: 1px solid var(--accent); border-radius: var(--radius-small); background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
.button:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
.button.second { background: transparent; color: var(--accent); }
.button.second:hover { background: var(--accent-soft); color: var(--accent-strong); }
.actions { display: flex; flex-wrap: wrap; gap: 12px; }

.summary { display: grid; border-top: 1px solid var(--line); }
.summary > div { display: grid; gap: 2px var(--gap-3); padding: 12px 0; border-bottom: 1px solid var(--line); }
.summary dt { color: var(--ink-quiet); font-weight: 600; }
.summary dd { margin: 0; }
@media (min-width: 640px) { .summary > div { grid-template-columns: 200px minmax(0, 1fr); } }

.badge {
  display: inline-flex; align-items: center; gap: 6px; padding: 1px 10px; border-radius: 999px; white-space: nowrap;
  border: 1px solid currentcolor; background: var(--paper); color: var(--ink-quiet); font-size: 0.8125rem; font-weight: 600; line-height: 1.5rem;
}
.badge.good { color: var(--good); background: var(--good-soft); }
.badge.bad { color: var(--bad); background: var(--bad-soft); }
.badge.notice { color: var(--notice); background: var(--notice-soft); }
.badge.accent { color: var(--accent); background: var(--accent-soft); }
.badges { display: flex; flex-wrap: wrap; gap: var(--gap-1); }

.callout { border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: var(--radius); background: var(--accent-soft); padding: var(--gap-2) var(--gap-3); }
.callout.notice { border-left-color: var(--notice); background: var(--notice-soft); }
.callout.good { border-left-color: var(--good); background: var(--good-soft); }
.callout.bad { border-left-color: var(--bad); background: var(--bad-soft); }
.callout > * + * { margin-top: 4px; }
.callout h2, .callout h3 { font-size: 1rem; letter-spacing: 0; }

.steps { counter-reset: step; list-style: none; padding: 0; }
.steps > li { counter-increment: step; position: relative; padding: 0 0 var(--gap-3) 48px; }
.steps > li::before {
  content: counter(step); position: absolute; left: 0; top: -2px; width: 30px; height: 30px; border-radius: 50%;
  background: var(--accent); color: var(--on-accent); font-weight: 650; font-size: 0.875rem; line-height: 30px; text-align: center;
}
.steps > li:not(:last-child)::after { content: ''; position: absolute; left: 14px; top: 36px; bottom: 8px; width: 2px; background: var(--line); }
.steps > li > * + * { margin-top: 12px; }
.steps > li:last-child { padding-bottom: 0; }

.code-block { border: 1px solid var(--line); border-radius: var(--radius); background: var(--code-ground); overflow: hidden; }
.code-block figcaption {
  display: flex; align-items: center; justify-content: space-between; gap: var(--gap-2); min-height: var(--target);
  padding: 0 var(--gap-2); border-bottom: 1px solid var(--line); color: var(--ink-quiet); font-size: 0.875rem; font-weight: 600; overflow-wrap: anywhere;
}
.code-block pre { margin: 0; padding: var(--gap-2); white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.55; tab-size: 2; }
.code-block code { font-size: 0.8125rem; background: none; padding: 0; }
.copy {
  min-height: var(--target); min-width: 72px; margin-right: calc(-1 * var(--gap-1)); padding: 0 var(--gap-1);
  border: 0; background: none; color: var(--accent); font: inherit; cursor: pointer;
}
.copy:hover { text-decoration: underline; text-underline-offset: 3px; }

details.more { border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); }
details.more > summary { min-height: var(--target); padding: 10px var(--gap-2); cursor: pointer; color: var(--accent); font-weight: 600; }
details.more > :not(summary) { margin: 0; border-width: 1px 0 0; border-radius: 0; }
details.values > summary { padding-block: 12px; cursor: pointer; color: var(--accent); }
`;
