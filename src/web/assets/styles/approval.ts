/** The approval journey: who asks, the amount, the account picker, the demo phone, the decision and its outcome. */
export const approval = `
.sections > * + * { margin-top: var(--gap-4); }
.sections .stack > * + * { margin-top: 8px; }
.visitor { display: flex; flex-wrap: wrap; align-items: center; gap: 0 12px; margin-top: -16px; color: var(--ink-quiet); font-size: 0.9375rem; }

.who-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 12px; }
.flow .card .summary { border-top: 1px solid var(--line); }
.flow .card .summary > div { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 2px 12px; padding: 10px 0; }
.flow .card .summary > div:last-child { border-bottom: 0; padding-bottom: 0; }
.payment { border-top: 4px solid var(--accent); }
.payment .amount { font-size: clamp(2rem, 1.6rem + 2vw, 2.75rem); font-weight: 700; line-height: 1.15; letter-spacing: -0.02em; margin-top: 4px; }
.number { font-variant-numeric: tabular-nums; color: var(--ink-quiet); }
@media (max-width: 479px) { .flow .number { font-size: 0.8125rem; } .flow .card { padding: var(--gap-2); } }
.summary dd { overflow-wrap: anywhere; }

.sentences { padding-left: 20px; }
.sentences li { padding: 4px 0; }
.sentences li::marker { color: var(--accent); }
.crossed li { position: relative; padding: 4px 0 4px 28px; }
.crossed li::before { content: '✕' / ''; position: absolute; left: 2px; color: var(--bad); font-weight: 700; }

.picks { display: grid; gap: 12px; }
.pick {
  display: grid; grid-template-columns: 22px minmax(0, 1fr) auto; gap: 2px 14px; align-items: center; padding: 14px var(--gap-2);
  border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--paper); cursor: pointer;
}
.pick input { grid-row: 1 / span 2; }
.pick-name { font-weight: 600; }
.pick-balance { font-weight: 600; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.pick-number, .pick-fault { grid-column: 2 / -1; font-size: 0.9375rem; }
.pick-fault { color: var(--bad); }
.pick:hover { border-color: var(--accent); }
.pick:has(input:checked) { border-color: var(--accent); background: var(--accent-soft); box-shadow: inset 0 0 0 1px var(--accent); }
.pick:has(input:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
.pick:has(input:disabled) { cursor: not-allowed; border-style: dashed; border-color: var(--line-strong); background: transparent; box-shadow: none; }
.pick:has(input:disabled) .pick-name, .pick:has(input:disabled) .pick-balance { color: var(--ink-quiet); font-weight: 400; }
.wrong .pick { border-color: var(--bad); }

.code-entry { display: grid; gap: var(--gap-3); }
.code-entry input { max-width: 12rem; font-size: 1.375rem; letter-spacing: 0.12em; font-variant-numeric: tabular-nums; }
.phone { border: 2px dashed var(--notice); border-radius: 22px; background: var(--notice-soft); color: var(--notice); padding: 12px 14px 14px; }
.phone > * + * { margin-top: 8px; }
.phone::before { content: ''; display: block; width: 56px; height: 5px; margin: 0 auto 8px; border-radius: 3px; background: currentcolor; opacity: 0.35; }
.phone h3 { display: flex; align-items: center; justify-content: center; font-size: 0.875rem; letter-spacing: 0; }
.phone .message { border-radius: 14px; border: 1px solid var(--line); background: var(--paper); color: var(--ink); padding: 10px 14px; font-size: 0.9375rem; line-height: 1.45; }
.phone .message > * + * { margin-top: 4px; }
.phone .number { white-space: normal; }
.demo-code { display: block; font-size: 1.5rem; letter-spacing: 0.08em; line-height: 1.3; font-variant-numeric: tabular-nums; }
@media (min-width: 600px) {
  .code-entry.with-phone { grid-template-columns: minmax(0, 1fr) 280px; align-items: start; }
  .code-entry.with-phone .phone { order: 2; }
}

.decision { border-top: 1px solid var(--line); padding-top: var(--gap-3); }
.decision .actions { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); }
.decision .button { min-height: 52px; padding-inline: 8px; border-width: 2px; font-size: 1.0625rem; }
.decision .button.second { background: var(--paper); }
.decision .button.second:hover { background: var(--accent-soft); }
.decision > p { margin-top: 12px; }

.outcome { border-top: 4px solid var(--line-strong); padding: var(--gap-4) var(--gap-3); }
.outcome.quiet { color: var(--ink); }
.outcome.good { border-top-color: var(--good); }
.outcome.bad { border-top-color: var(--bad); }
.outcome.notice { border-top-color: var(--notice); }
.outcome > * + * { margin-top: var(--gap-2); }
.outcome-sign {
  display: flex; align-items: center; justify-content: center; width: 48px; height: 48px; border-radius: 50%;
  background: var(--accent-soft); color: var(--accent); font-size: 1.5rem; font-weight: 700; line-height: 1;
}
.outcome.good .outcome-sign { background: var(--good-soft); color: var(--good); }
.outcome.bad .outcome-sign { background: var(--bad-soft); color: var(--bad); }
.outcome.notice .outcome-sign { background: var(--notice-soft); color: var(--notice); }
.places a { display: inline-flex; align-items: center; min-height: var(--target); }
@media (min-width: 640px) { .outcome { padding: var(--gap-5); } }
`;
