/** The dashboard: its sections, the cards of permissions, the lists of uses, filters and files. */
export const dashboard = `
.board .visitor { justify-content: space-between; }
.tabs { border-bottom: 1px solid var(--line); margin-bottom: var(--gap-4); }
.tabs ul { display: flex; flex-wrap: wrap; gap: 0 4px; list-style: none; margin: 0 -8px; padding: 0; }
.tabs a { display: inline-flex; align-items: center; min-height: 48px; padding: 0 12px; color: var(--ink-quiet); text-decoration: none; font-weight: 600; }
.tabs a:hover { color: var(--accent); text-decoration: underline; }
.tabs a[aria-current] { color: var(--accent); box-shadow: inset 0 -3px 0 0 var(--accent); }
.board h1 { font-size: clamp(1.625rem, 1.4rem + 1.2vw, 2.125rem); }
.board h2 { font-size: 1.25rem; }
.board-head > * + * { margin-top: 12px; }
.board-head .filters { margin-top: var(--gap-3); }
.board .stack-wide > * + * { margin-top: var(--gap-4); }

.card-grid.permissions { align-items: start; }
.permission { display: flex; flex-direction: column; border-top: 4px solid var(--accent); }
.permission-head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: 8px 12px; }
.permission-head h3 { font-size: 1.125rem; }
.permission-kind { font-weight: 600; }
.permission .sentences { font-size: 0.9375rem; }
.permission .sentences li { padding: 2px 0; }
.permission-accounts .number { color: var(--ink); }
.permission-facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(128px, 1fr)); gap: 8px var(--gap-2); padding-top: 12px; border-top: 1px solid var(--line); margin-top: auto; }
.permission > .sentences + .permission-accounts { margin-bottom: 12px; }
.permission-facts dt { color: var(--ink-quiet); font-size: 0.8125rem; }
.permission-facts dd { margin: 0; font-size: 0.9375rem; font-weight: 600; }
.board .card > .summary { border-top: 0; }
.board .card > .summary > div:first-child { padding-top: 0; }
.board .card > .summary > div:last-child { border-bottom: 0; padding-bottom: 0; }
.summary .sentences li:first-child { padding-top: 0; }

.history li { position: relative; padding: 0 0 var(--gap-2) 28px; }
.history li::before { content: ''; position: absolute; left: 4px; top: 7px; width: 10px; height: 10px; border-radius: 50%; background: var(--accent); }
.history li:not(:last-child)::after { content: ''; position: absolute; left: 8px; top: 21px; bottom: -3px; width: 2px; background: var(--line); }

.records .badge { white-space: normal; overflow-wrap: anywhere; border-radius: 14px; }
.records tbody th .quiet { font-weight: 400; }
.decision a.button { text-align: center; }
@media (min-width: 1100px) { .records .number { white-space: nowrap; font-size: 0.875rem; } }
.records.past td, .records.funds td, .records.accesses td { overflow-wrap: break-word; }
.records.past th:nth-child(1) { width: 14%; }
.records.past th:nth-child(3), .records.funds th:nth-child(5), .records.accesses th:nth-child(4) { width: 27%; }
.records.past th:nth-child(4) { width: 12%; }
.records.past th:nth-child(5) { width: 12%; }
.records.past th:nth-child(6) { width: 17%; }
.records.funds th:nth-child(1) { width: 14%; }
.records.funds th:nth-child(2), .records.funds th:nth-child(4) { width: 13%; }
.records.funds th:nth-child(6) { width: 16%; }
.records.accesses th:nth-child(1) { width: 18%; }
.records.accesses th:nth-child(2) { width: 16%; }
.records.accesses th:nth-child(5) { width: 20%; }
.money { font-variant-numeric: tabular-nums; }
@media (max-width: 719px) {
  .records.past tbody th a { display: inline-flex; align-items: center; min-height: var(--target); }
}

.filters form { padding: var(--gap-2); }
.filters form > * + * { margin-top: var(--gap-2); }
.filter-fields { display: grid; gap: var(--gap-2); grid-template-columns: repeat(auto-fit, minmax(min(100%, 200px), 1fr)); align-items: end; }
.field select {
  width: 100%; min-height: 48px; padding: 8px 12px; border: 1px solid var(--line-strong); border-radius: var(--radius-small);
  background: var(--paper); color: var(--ink); font: inherit;
}
.filters .field input { max-width: none; }

.downloads { border-top: 1px solid var(--line); padding-top: var(--gap-3); }
.downloads > * + * { margin-top: 8px; }
.downloads h2 { font-size: 1rem; }
.downloads li { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 4px 0; }
.downloads li > span { min-width: 12rem; }
@media (max-width: 479px) { .downloads li > span { width: 100%; } .permission .actions .button { flex: 1 1 auto; } .board .number { font-size: 0.8125rem; } }
`;
