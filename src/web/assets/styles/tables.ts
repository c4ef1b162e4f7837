/** Tables of records. On a phone every record becomes a card and every cell is named by its column. */
export const tables = `
.records { width: 100%; border-collapse: separate; border-spacing: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--paper); overflow: hidden; font-size: 0.9375rem; line-height: 1.5; table-layout: fixed; }
.records th, .records td { padding: 10px var(--gap-2); text-align: left; vertical-align: top; }
.records thead th { background: var(--ground); color: var(--ink-quiet); font-size: 0.8125rem; font-weight: 600; }
.records tbody th, .records tbody td { border-top: 1px solid var(--line); }
.records tbody th { font-weight: 600; }
.records code { overflow-wrap: break-word; }
.records tbody th code { font-weight: 600; }
.records td p + p { margin-top: 2px; }
.records .holder { color: var(--ink-quiet); font-weight: 400; }
.records.fields th:nth-child(1) { width: 30%; }
.records.fields th:nth-child(2) { width: 16%; }
.records.fields th:nth-child(3) { width: 12%; }
.records.pairs th:nth-child(1) { width: 31%; }
.records.problems th:nth-child(1) { width: 28%; }
.records.problems th:nth-child(3) { width: 20%; }
.records.people th:nth-child(1) { width: 17%; }
.records.people th:nth-child(2) { width: 21%; }
.records.people th:nth-child(4) { width: 33%; }
.records.consents th:nth-child(1) { width: 30%; }
.records.consents th:nth-child(2) { width: 18%; }
.records.consents th:nth-child(4) { width: 10%; }
.records.consents th:nth-child(5) { width: 26%; }

@media (max-width: 719px) {
  .records, .records tbody, .records tr, .records th, .records td { display: block; }
  .records thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .records tr { padding: 12px var(--gap-2); }
  .records tr + tr { border-top: 1px solid var(--line); }
  .records tbody th, .records tbody td { border: 0; padding: 2px 0; }
  .records th { width: auto !important; }
  .records td[data-label] { display: grid; grid-template-columns: 108px minmax(0, 1fr); gap: var(--gap-1); }
  .records td[data-label]::before { content: attr(data-label); color: var(--ink-quiet); font-size: 0.8125rem; line-height: 1.75; }
}
`;
