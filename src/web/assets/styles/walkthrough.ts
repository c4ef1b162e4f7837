/** The demo third party: the choice of flows, the step line, what can be done now, and the records of what was sent. */
export const walkthrough = `
.flow-cards { grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
.flow-card { display: flex; flex-direction: column; }
.flow-card .grow { flex: 1; }
.ways { display: grid; gap: var(--gap-2); border-top: 1px solid var(--line); padding-top: var(--gap-2); }
.ways li { display: grid; gap: 4px; }
.mine li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 12px; }
.mine a { display: inline-flex; align-items: center; min-height: var(--target); }

.walk { display: grid; gap: var(--gap-3); }
.walk-main { min-width: 0; }
.walk-main > * + * { margin-top: var(--gap-4); }
.step-line { list-style: none; padding: 0; counter-reset: step; align-self: start; }
.step-line li { counter-increment: step; position: relative; display: flex; align-items: center; min-height: 36px; padding-left: 40px; color: var(--ink-quiet); line-height: 1.3; }
.step-line li::before {
  content: counter(step); position: absolute; left: 0; top: 5px; width: 26px; height: 26px; border-radius: 50%; border: 1px solid var(--line-strong);
  background: var(--paper); font-size: 0.8125rem; font-weight: 650; line-height: 24px; text-align: center; z-index: 1;
}
.step-line li:not(:last-child)::after { content: ''; position: absolute; left: 12px; top: 31px; bottom: -5px; width: 2px; background: var(--line); }
.step-line .done { color: var(--ink); }
.step-line .done::before { content: '✓' / ''; border-color: var(--good); background: var(--good-soft); color: var(--good); }
.step-line .now { color: var(--ink); font-weight: 650; }
.step-line .now::before { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
@media (min-width: 960px) {
  .walk { grid-template-columns: 216px minmax(0, 1fr); gap: var(--gap-5); }
  .step-line { position: sticky; top: var(--gap-3); }
  .step-line li { min-height: 44px; }
  .step-line li::before { top: 9px; }
  .step-line li:not(:last-child)::after { top: 35px; bottom: -9px; }
}

.now-card { border-top: 4px solid var(--accent); }
.now-card > * + * { margin-top: var(--gap-2); }
.now-card .next { max-width: none; border-top: 1px solid var(--line); padding-top: var(--gap-2); color: var(--ink-quiet); font-size: 0.9375rem; }
.person { border-left: 4px solid var(--notice); border-radius: var(--radius-small); background: var(--notice-soft); color: var(--notice); padding: 10px var(--gap-2); }
.button.big { min-height: 52px; padding: 10px 28px; font-size: 1.0625rem; }
@media (max-width: 479px) { .button.big { width: 100%; } }
.action > * + * { margin-top: var(--gap-2); }
.walk-fields { display: grid; gap: var(--gap-2); grid-template-columns: repeat(auto-fit, minmax(min(100%, 270px), 1fr)); align-items: end; }
.walk-fields .field input:not([type='checkbox']) { max-width: none; }
.walk-fields .wide { grid-column: 1 / -1; }
.walk-fields legend { font-weight: 600; }
.field .choice { font-weight: 400; display: flex; }
.choices { display: grid; gap: 0 var(--gap-3); grid-template-columns: repeat(auto-fit, minmax(min(100%, 260px), 1fr)); }
.field .choice input { min-height: 0; padding: 0; width: 22px; }
.group { border-top: 1px solid var(--line); padding-top: var(--gap-2); }
.group > * + * { margin-top: 8px; }
.group > .actions, .group > .calls { margin-top: 12px; }
.group.actions > * { margin: 0; }
.calls { display: grid; gap: var(--gap-3); }
.calls .action > * + * { margin-top: 12px; }

.with-link { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 var(--gap-2); }
.with-link a { display: inline-flex; align-items: center; min-height: var(--target); }
.record { border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); }
.record > summary { display: grid; gap: 4px; padding: 12px var(--gap-2); min-height: var(--target); cursor: pointer; list-style: none; border-radius: var(--radius); }
.record > summary::-webkit-details-marker { display: none; }
.record > summary:hover .record-title { text-decoration: underline; text-underline-offset: 3px; }
.record-title { position: relative; padding-right: 32px; font-weight: 650; }
.record-title::after { content: ''; position: absolute; right: 6px; top: 7px; width: 8px; height: 8px; border: solid var(--ink-quiet); border-width: 0 2px 2px 0; transform: rotate(45deg); }
.record[open] .record-title::after { transform: rotate(-135deg); top: 11px; }
.record-line { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; min-width: 0; }
.record-line code { font-size: 0.8125rem; color: var(--ink-quiet); }
.record-body { border-top: 1px solid var(--line); padding: var(--gap-2); }
.record-body > * + * { margin-top: var(--gap-2); }
.sides { display: grid; gap: var(--gap-2); }
.sides > * { min-width: 0; }
@media (min-width: 1100px) { .sides { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; } }
.checks li + li { margin-top: 6px; }
.record .summary code { overflow-wrap: anywhere; }
`;
