/** What doctor has found: a line for people, an object for scripts. */
export interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

export const finding = (check: string, verdict: Finding['verdict'], detail: string): Finding => ({
  check,
  verdict,
  detail,
});
